-- The dry run of a rule over a period of the log, which goes on in the background, and what it found.
create table rule_dry_run (
  tenant_id  uuid not null,
  id         uuid not null,
  user_id    uuid not null,
  scopes     text[] not null,
  rule       jsonb not null,
  since      timestamptz not null,
  until      timestamptz not null,
  state      integer not null,
  -- How far it has come: in time, and in the log or the schedule.
  reached    timestamptz not null,
  position   jsonb,
  events     integer not null default 0,
  triggered  integer not null default 0,
  matched    integer not null default 0,
  acted      integer not null default 0,
  failed     integer not null default 0,
  listed     integer not null default 0,
  conditions jsonb not null default '[]',
  days       jsonb not null default '{}',
  error      text not null default '',
  began      timestamptz not null,
  ended      timestamptz,
  primary key (tenant_id, id)
);
create index rule_dry_run_of_user on rule_dry_run (tenant_id, user_id, id);
call wall('rule_dry_run');

create table rule_dry_run_result (
  tenant_id  uuid not null,
  run_id     uuid not null,
  n          integer not null,
  at         timestamptz not null,
  event      text not null,
  item_id    uuid,
  outcome    integer not null,
  conditions jsonb not null,
  actions    jsonb not null,
  next       jsonb not null,
  error      text not null,
  primary key (tenant_id, run_id, n),
  foreign key (tenant_id, run_id) references rule_dry_run (tenant_id, id) on delete cascade
);
call wall('rule_dry_run_result');
