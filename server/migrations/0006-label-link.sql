-- Labels as records, links between items, and what an area gives to the items in it.

create table label (
  like record including all,
  name        text not null,
  color       text not null default '',
  description text not null default '',
  owner       integer not null default 0,
  owner_id    text not null default '',
  "group"     text not null default '',
  exclusive   boolean not null default false,
  aliases     text[] not null default '{}',
  active      boolean not null default true
);

-- Names and aliases alike, folded and cut: within one owner each means one label. Of several who make the same new label
-- at once, this key lets one through.
create table label_name (
  tenant_id uuid not null,
  key       text not null,
  owner     integer not null,
  owner_id  text not null,
  label_id  uuid not null,
  constraint label_name_taken primary key (tenant_id, key, owner, owner_id)
);

-- Which items carry a label: for filters, because under row level security no index finds an element of an array. Without
-- a foreign key to the label, whose row all that use a common label would have to hold at the same time.
create table item_label (
  tenant_id uuid not null,
  label_id  uuid not null,
  item_id   uuid not null,
  primary key (tenant_id, label_id, item_id),
  foreign key (tenant_id, item_id) references item (tenant_id, id)
);

alter table item add column labels uuid[] not null default '{}';
alter table item no force row level security;

-- What were tags until now become labels of the tenant.
insert into label (tenant_id, id, created, created_by, updated, updated_by, name)
select distinct on (i.tenant_id, left(fold(n.name), 500)) i.tenant_id, gen_random_uuid(), i.created, i.created_by, i.created, i.created_by, n.name
from item i cross join unnest(i.tags) t(tag) cross join lateral (select btrim(t.tag, E' \t\n\r') as name) n
where n.name <> '' order by i.tenant_id, left(fold(n.name), 500), i.created, i.id;
insert into label_name (tenant_id, key, owner, owner_id, label_id) select tenant_id, left(fold(name), 500), 0, '', id from label;
update item i set labels = c.labels
from (
  select f.tenant_id, f.id, array_agg(f.label_id order by f.n) as labels
  from (
    select i.tenant_id, i.id, n.label_id, min(t.n) as n
    from item i cross join unnest(i.tags) with ordinality t(tag, n)
    join label_name n on n.tenant_id = i.tenant_id and n.key = left(fold(btrim(t.tag, E' \t\n\r')), 500)
    group by i.tenant_id, i.id, n.label_id
  ) f group by f.tenant_id, f.id
) c where i.tenant_id = c.tenant_id and i.id = c.id;
insert into item_label (tenant_id, label_id, item_id) select tenant_id, unnest(labels), id from item;

alter table item force row level security;
alter table item drop column tags;

call records('label');
create index label_of_owner on label (tenant_id, owner, owner_id) where not deleted;
alter table label no force row level security;
alter table label_name add foreign key (tenant_id, label_id) references label (tenant_id, id);
alter table label force row level security;
create index label_name_of_label on label_name (tenant_id, label_id);
call wall('label_name');
create index item_label_of_item on item_label (tenant_id, item_id);
call wall('item_label');

-- Kept by a trigger, because labels come to an item and leave it on many ways.
create function note_labels() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from item_label where tenant_id = new.tenant_id and item_id = new.id and label_id <> all (new.labels);
  end if;
  insert into item_label (tenant_id, label_id, item_id) select new.tenant_id, unnest(new.labels), new.id on conflict do nothing;
  return null;
end $$;
create trigger item_made_with_labels after insert on item for each row when (new.labels <> '{}') execute function note_labels();
create trigger item_changes_labels after update of labels on item for each row
  when (new.labels is distinct from old.labels) execute function note_labels();

alter table area
  add column lead_user_id     uuid,
  add column default_assignee uuid,
  add column clock_id         uuid;

create table link_type (
  like record including all,
  name         text not null,
  inverse_name text not null default '',
  description  text not null default '',
  behaviour    integer not null default 0
);
alter table tenant no force row level security;
insert into link_type (tenant_id, id, created, created_by, updated, updated_by, name, inverse_name, behaviour)
select t.tenant_id, gen_random_uuid(), now(), t.created_by, now(), t.created_by, y.name, y.inverse_name, y.behaviour
from tenant t cross join (values
  ('relates', 'relates', 0), ('blocks', 'blocked by', 1), ('precedes', 'follows', 2),
  ('duplicates', 'duplicated by', 3), ('causes', 'caused by', 5), ('clones', 'cloned by', 6)) y(name, inverse_name, behaviour);
alter table tenant force row level security;
call records('link_type');
create unique index link_type_name_taken on link_type (tenant_id, fold(name)) where not deleted;

create table link (
  like record including all,
  from_id   uuid not null,
  to_id     uuid,
  type      uuid not null,
  -- The type's, which stays the same as long as there are links of it.
  behaviour integer not null default 0,
  note      text not null default '',
  lag_days  integer not null default 0,
  external  jsonb not null default '{}'
);
call records('link');
alter table link add foreign key (tenant_id, from_id) references item (tenant_id, id);
alter table link add foreign key (tenant_id, to_id) references item (tenant_id, id);
alter table link add foreign key (tenant_id, type) references link_type (tenant_id, id);
-- One link for a pair; what relates two items is the same from either end.
create unique index link_to_id_taken on link (tenant_id, type,
  (case behaviour when 0 then least(from_id, to_id) else from_id end), (case behaviour when 0 then greatest(from_id, to_id) else to_id end))
  where to_id is not null and not deleted;
create index link_of_type on link (tenant_id, type);
create index link_from on link (tenant_id, from_id) where not deleted;
create index link_to on link (tenant_id, to_id) where to_id is not null and not deleted;
