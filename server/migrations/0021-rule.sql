-- Rules that run: in whose name, how often at most, what they did, and what they are to do at which moment.

alter table rule
  add column mode            integer not null default 0,
  add column run_as          text not null default '',
  add column owner_user      uuid,
  add column stop_on_match   boolean not null default false,
  add column once_per_record boolean not null default false,
  add column debounce        text not null default '',
  add column max_per_hour    integer not null default 0,
  add column quiet_hours     uuid,
  add column timezone        text not null default '',
  add column notes           text not null default '';

alter table rule no force row level security;
update rule set owner_user = created_by;
alter table rule force row level security;

-- What an event followed from by itself: the rule, where its chain began and how long it is. Set for the length of one
-- deed, so that whoever writes an event needs to know nothing of it.
alter table event add column cause jsonb default nullif(current_setting('app.cause', true), '')::jsonb;

-- What is counted for each rule, apart from the rule itself: counting is no change of it.
create table rule_stat (
  tenant_id  uuid not null,
  rule_id    uuid not null,
  matched    bigint not null default 0,
  acted      bigint not null default 0,
  failed     bigint not null default 0,
  ms         double precision not null default 0,
  last_run   timestamptz,
  last_error text not null default '',
  primary key (tenant_id, rule_id)
);
call wall('rule_stat');

-- A rule acts once for a record and a root: the change set in which a chain began, or a moment that was planned.
create table rule_act (
  tenant_id   uuid not null,
  root        text not null,
  record_id   uuid not null,
  rule_id     uuid not null,
  root_record uuid not null,
  at          timestamptz not null,
  primary key (tenant_id, root, record_id, rule_id)
);
create index rule_act_age on rule_act (tenant_id, at);
call wall('rule_act');

-- The records for which a rule that acts once on each has acted.
create table rule_done (
  tenant_id uuid not null,
  rule_id   uuid not null,
  record_id uuid not null,
  at        timestamptz not null,
  primary key (tenant_id, rule_id, record_id)
);
call wall('rule_done');

create table rule_log (
  tenant_id     uuid not null,
  id            uuid not null,
  rule_id       uuid not null,
  at            timestamptz not null,
  outcome       integer not null,
  "trigger"     integer not null,
  event_id      uuid,
  event_kind    text not null default '',
  entity        text not null default '',
  record_id     uuid,
  item_id       uuid,
  change_set_id uuid,
  root          text not null default '',
  depth         integer not null default 0,
  ms            double precision not null default 0,
  conditions    jsonb not null default '[]',
  actions       jsonb not null default '[]',
  error         text not null default '',
  primary key (tenant_id, id)
);
create index rule_log_of_rule on rule_log (tenant_id, rule_id, id);
create index rule_log_of_item on rule_log (tenant_id, item_id, id) where item_id is not null;
create index rule_log_age on rule_log (tenant_id, at);
-- By outcome: what did not match is kept by its number, what was done is counted by its time.
create index rule_log_by_outcome on rule_log (tenant_id, rule_id, outcome, id);
call wall('rule_log');

-- A moment at which a rule is to look at records: how far it has come, and up to where it has looked before.
create table rule_run (
  tenant_id  uuid not null,
  rule_id    uuid not null,
  planned_at timestamptz not null,
  looked_to  timestamptz,
  began      timestamptz,
  ended      timestamptz,
  last_item  uuid,
  seen       integer not null default 0,
  acted      integer not null default 0,
  failed     integer not null default 0,
  primary key (tenant_id, rule_id, planned_at)
);
call wall('rule_run');

-- What calls from outside are known by.
create table rule_call (
  tenant_id uuid not null,
  rule_id   uuid not null,
  digest    bytea not null,
  primary key (tenant_id, rule_id)
);
call wall('rule_call');
create index rule_call_of_rule on rule_call (rule_id);
grant select (tenant_id, rule_id, digest) on rule_call to gantry_door;
create policy door on rule_call for select to gantry_door using (true);

-- Dates to come and gone by, of all containers: for rules that wait for one.
create index item_due on item (tenant_id, due_date, id) where due_date is not null and not deleted;
create index item_starting on item (tenant_id, start_date, id) where start_date is not null and not deleted;
create index annotation_age on annotation (tenant_id, created) where item_id is not null;
