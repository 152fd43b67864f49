-- How records are laid out, what must hold of them, and the texts that are written again and again.

create table screen (
  like record including all,
  name         text not null,
  process_id   uuid,
  container_id uuid,
  moment       integer not null default 0,
  step_id      text not null default '',
  sections     jsonb not null default '[]',
  user_group   uuid[] not null default '{}',
  active       boolean not null default true
);
call records('screen');
alter table screen add foreign key (tenant_id, process_id) references process (tenant_id, id);
alter table screen add foreign key (tenant_id, container_id) references container (tenant_id, id);

create table "constraint" (
  like record including all,
  name        text not null,
  description text not null default '',
  owner       integer not null default 0,
  owner_id    text not null default '',
  active      boolean not null default true,
  "when"      jsonb not null default '[]',
  "then"      jsonb not null default '[]',
  message     text not null default '',
  severity    integer not null default 0,
  enforce_on  integer[] not null default '{}'
);
call records('constraint');

create table content_template (
  like record including all,
  name       text not null,
  kind       integer not null default 0,
  subject    text not null default '',
  body       text not null default '',
  format     text not null default 'markdown',
  locales    jsonb not null default '{}',
  owner      integer not null default 0,
  owner_id   text not null default '',
  user_group uuid[] not null default '{}',
  shortcut   text not null default '',
  variables  text[] not null default '{}',
  actions    jsonb not null default '[]',
  active     boolean not null default true
);
call records('content_template');
create unique index content_template_shortcut_taken on content_template (tenant_id, owner, (case owner when 0 then '' else owner_id end), lower(shortcut)) where shortcut <> '' and not deleted;
