-- Clocks that run: what they promise, when they start, rest and end, and where each item stands.

alter table clock
  add column schedule       jsonb not null default '[]',
  add column exceptions     jsonb not null default '[]',
  add column targets        jsonb not null default '[]',
  add column threshold_mode integer not null default 0,
  add column start          jsonb not null default '[]',
  add column pause          jsonb not null default '[]',
  add column resume         jsonb not null default '[]',
  add column stop           jsonb not null default '[]',
  add column reset          jsonb not null default '[]',
  add column cancel         jsonb not null default '[]',
  add column start_from     text not null default '',
  add column "order"        integer not null default 0,
  add column active         boolean not null default true,
  add column parallel       boolean not null default false,
  add column effective_from timestamptz;

-- The hours a clock had, and since when they count. `recalculate`: 0 what is counted stays, 1 open cycles are counted
-- anew by these hours, 2 the finished ones, too.
create table clock_version (
  tenant_id      uuid not null,
  clock_id       uuid not null,
  version        integer not null,
  made           timestamptz not null,
  effective_from timestamptz not null,
  recalculate    integer not null default 0,
  calendar       jsonb not null,
  primary key (tenant_id, clock_id, version),
  foreign key (tenant_id, clock_id) references clock (tenant_id, id) on delete cascade
);
call wall('clock_version');

alter table clock no force row level security;
alter table clock_version no force row level security;
insert into clock_version (tenant_id, clock_id, version, made, effective_from, calendar)
select tenant_id, id, version, created, created, jsonb_build_object('timezone', timezone, 'dayStart', day_start, 'dayEnd', day_end,
  'weekStart', week_start, 'weekEnd', week_end, 'nonWorkingDay', to_jsonb(non_working_day), 'schedule', '[]'::jsonb, 'exceptions', '[]'::jsonb)
from clock;
alter table clock force row level security;
alter table clock_version force row level security;

-- Where an item stands with each promise, kept for lists and timers; what it says is folded from the item's events.
-- A lane is a kind of promise, or a target that stands for itself; a cycle is one run of it.
create table item_clock (
  tenant_id      uuid not null,
  item_id        uuid not null,
  lane           text not null,
  cycle          integer not null,
  clock_id       uuid not null,
  target_id      text not null,
  kind           integer not null,
  version        integer not null,
  state          integer not null,
  -- The one that stands for its clock in lists: of the latest cycles the one that is due first.
  leads          boolean not null default false,
  started_at     timestamptz,
  elapsed        bigint not null default 0,
  remaining      bigint,
  due_at         timestamptz,
  amber_at       timestamptz,
  red_at         timestamptz,
  paused_since   timestamptz,
  pauses         jsonb not null default '[]',
  met_at         timestamptz,
  breached_at    timestamptz,
  breach_seconds bigint not null default 0,
  ended_at       timestamptz,
  -- The event that ended it: what came before is not folded again.
  ended_by       uuid,
  -- What the fold needs of the time before: whether somebody has answered, say.
  memory         jsonb not null default '{}',
  told           integer not null default 0,
  next_at        timestamptz,
  primary key (tenant_id, item_id, lane, cycle),
  foreign key (tenant_id, item_id) references item (tenant_id, id) on delete cascade
);
call wall('item_clock');
create index item_clock_due on item_clock (next_at, tenant_id) where next_at is not null;
create index item_clock_of_tenant on item_clock (tenant_id, next_at) where next_at is not null;
create index item_clock_by_state on item_clock (tenant_id, clock_id, state, item_id) where leads;
create index item_clock_by_due on item_clock (tenant_id, clock_id, due_at, item_id) where leads;
create index item_clock_open on item_clock (tenant_id, clock_id, item_id) where ended_at is null;

-- A clock whose items are looked at again in the background: as far as it has come.
create table clock_recalculation (
  tenant_id uuid not null,
  clock_id  uuid not null,
  version   integer not null,
  mode      integer not null,
  total     integer not null,
  done      integer not null default 0,
  changed   integer not null default 0,
  last_item uuid,
  began     timestamptz not null,
  ended     timestamptz,
  primary key (tenant_id, clock_id),
  foreign key (tenant_id, clock_id) references clock (tenant_id, id) on delete cascade
);
call wall('clock_recalculation');

-- Which tenants have something to do is asked across all of them.
grant select (tenant_id, next_at) on item_clock to gantry_door;
create policy door on item_clock for select to gantry_door using (true);
