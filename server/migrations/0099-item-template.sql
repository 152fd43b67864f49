-- Trees of items that are created as a whole, with dates that are counted from an anchor.
create table item_template (
  like record including all,
  name        text not null,
  description text not null default '',
  owner       integer not null default 0,
  owner_id    text not null default '',
  items       jsonb not null default '[]',
  links       jsonb not null default '[]',
  variables   text[] not null default '{}',
  active      boolean not null default true
);
call records('item_template');
create index item_template_of_owner on item_template (tenant_id, owner, owner_id) where not deleted;
