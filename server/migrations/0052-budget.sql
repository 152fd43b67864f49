-- Budgets are ledgers: what one holds is the sum of its approved entries.

create table budget (
  like record including all,
  name      text not null default '',
  owner     integer not null default 1,
  owner_id  text not null default '',
  parent_id uuid,
  unit      integer not null default 0,
  currency  text not null default '',
  period    integer not null default 0,
  rollover  boolean not null default false,
  "from"    date,
  "to"      date,
  alert_at  integer[] not null default '{}'
);
call records('budget');
create index budget_of_owner on budget (tenant_id, owner, owner_id) where not deleted;
create index budget_of_parent on budget (tenant_id, parent_id) where parent_id is not null;

create table budget_entry (
  like record including all,
  budget_id  uuid not null,
  delta      numeric(19, 4) not null default 0,
  reason_id  uuid,
  date       date,
  recurring  boolean not null default false,
  note       text not null default '',
  state      integer not null default 0,
  decided_by uuid,
  decided_at timestamptz,
  comment    text not null default ''
);
call records('budget_entry');
create index budget_entry_of_budget on budget_entry (tenant_id, budget_id, date);

-- The thresholds that a budget has reached in a period. A row is inserted once, so the event of it is written once.
create table budget_alert (
  tenant_id   uuid not null,
  budget_id   uuid not null,
  period_from date not null,
  threshold   integer not null,
  primary key (tenant_id, budget_id, period_from, threshold)
);
call wall('budget_alert');

-- The sums of a container, by day.
create index time_of_container on time (tenant_id, container_id, date) include (seconds, state) where not deleted;

-- The budgets of containers become ledgers with one entry.
alter table container no force row level security;
insert into budget (tenant_id, id, created, created_by, updated, updated_by, owner_id, unit, currency, period, alert_at)
select c.tenant_id, gen_random_uuid(), c.updated, c.updated_by, c.updated, c.updated_by, c.id::text, u.unit, u.currency,
  coalesce((c.budget ->> 'resetPeriod')::int, 0),
  coalesce((select array_agg(a::int) from jsonb_array_elements_text(c.budget -> 'alertAt') a where a::int > 0), '{}')
from container c cross join lateral (values
  (0, '', coalesce((c.budget ->> 'minutes')::numeric, 0)),
  (2, coalesce(c.budget ->> 'currency', ''), case when coalesce(c.budget ->> 'currency', '') <> '' then coalesce((c.budget ->> 'amount')::numeric, 0) else 0 end)) u(unit, currency, amount)
where u.amount > 0 and not c.deleted;
alter table budget no force row level security;
insert into budget_entry (tenant_id, id, created, created_by, updated, updated_by, budget_id, delta, date, recurring, state, decided_by, decided_at)
select b.tenant_id, gen_random_uuid(), b.created, b.created_by, b.updated, b.updated_by, b.id,
  round(case when b.unit = 0 then (c.budget ->> 'minutes')::numeric else (c.budget ->> 'amount')::numeric end, 4), b.created::date, b.period <> 0, 1, b.created_by, b.created
from budget b join container c on c.tenant_id = b.tenant_id and c.id = b.owner_id::uuid;
alter table budget force row level security;
alter table container force row level security;
