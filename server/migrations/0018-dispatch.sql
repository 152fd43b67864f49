-- What follows from what was written: the dispatcher's place in the log, the errands it hands out, and hooks.

-- The dispatcher reads the log of all tenants in its one order.
create index event_in_order on event (xact, id);
grant select (tenant_id, xact, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes) on event to gantry_door;
create policy door on event for select to gantry_door using (true);

-- How far the log has been dispatched. The lease only spares two nodes the same work; the place itself is moved by
-- whoever still finds it where they began to read.
create table dispatch (
  name         text primary key,
  xact         xid8 not null,
  id           uuid not null,
  lease        uuid,
  leased_until timestamptz not null default '-infinity'
);
grant select, update on dispatch to gantry_door;
insert into dispatch (name, xact, id) values ('log', pg_current_xact_id(), '00000000-0000-0000-0000-000000000000');

-- One piece of work that is owed to a tenant. Within a lane one after another, in the order of the log. `run_at` says when
-- somebody may take it next: whoever takes it moves it ahead for as long as they are believed to be alive.
create table errand (
  tenant_id  uuid not null,
  lane       text not null,
  xact       xid8 not null default pg_current_xact_id(),
  id         uuid not null,
  task       text not null,
  payload    jsonb not null default '{}',
  run_at     timestamptz not null default now(),
  attempts   integer not null default 0,
  revision   integer not null default 0,
  worker     uuid,
  last_error text,
  primary key (tenant_id, lane, xact, id)
);
create index errand_by_time on errand (tenant_id, run_at);
alter table errand set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
call wall('errand');
-- The engines take errands of all tenants; what they do for a tenant they then do behind its wall.
create policy door on errand to gantry_door using (true) with check (true);
grant select, insert, update, delete on errand to gantry_door;

create table hook (
  like record including all,
  name             text not null,
  url              text not null default '',
  events           integer[] not null default '{}',
  container        uuid[] not null default '{}',
  condition_group  jsonb not null default '[]',
  secret           text not null default '',
  headers          text[] not null default '{}',
  format           integer not null default 0,
  active           boolean not null default true,
  include_previous boolean not null default false,
  owner_user       uuid,
  state            integer not null default 0,
  failures         integer not null default 0,
  failing_since    timestamptz,
  retry_at         timestamptz,
  disabled_at      timestamptz
);
call records('hook');

-- What was sent to foreign addresses, for a month: by hooks, and by rules and notifications in the same way.
create table delivery (
  tenant_id    uuid not null,
  id           uuid not null,
  owner_entity text not null,
  owner_id     uuid not null,
  event_xact   xid8,
  event_id     uuid,
  event_kind   text not null default '',
  entity       text not null default '',
  record_id    uuid,
  url          text not null,
  method       text not null default 'POST',
  webhook_id   text not null,
  -- What is sent each time alike, and its headers sealed; a hook's are made anew each time.
  body         text,
  sealed       bytea,
  created      timestamptz not null,
  state        integer not null default 0,
  attempts     integer not null default 0,
  status       integer,
  ms           integer,
  error        text not null default '',
  digest       text not null default '',
  size         integer,
  tries        jsonb not null default '[]',
  next_at      timestamptz,
  primary key (tenant_id, id)
);
create index delivery_of_owner on delivery (tenant_id, owner_id, id);
create index delivery_age on delivery (tenant_id, created);
call wall('delivery');
