-- Factors for the price and the cost of an hour on some days or at some times: overtime, weekends, holidays, nights.
create table multiplier (
  like record including all,
  name       text not null,
  owner      integer not null default 0,
  owner_id   text not null default '',
  "from"     date,
  "to"       date,
  weekdays   integer[] not null default '{}',
  holidays   boolean not null default false,
  start_time text not null default '',
  end_time   text not null default '',
  bill       numeric(6,4),
  cost       numeric(6,4)
);
call records('multiplier');

-- `bill_rate` and `cost_rate` contain the factors, so that amounts, invoices and sums need not know them.
alter table time
  add column multiplier         numeric(6,4) not null default 1,
  add column multiplier_id      uuid,
  add column cost_multiplier    numeric(6,4) not null default 1,
  add column cost_multiplier_id uuid;

-- The clock of somebody's work on a day: that of the capacity in force, of the working hours, of the container, of the tenant.
create function clock_of_work(of_tenant uuid, of_container uuid, of_user uuid, on_day date) returns uuid language sql stable as $$
  select coalesce(
    (select case when coalesce((e.value ->> 'to')::date >= on_day, true) then nullif(e.value ->> 'clockId', '')::uuid end
      from jsonb_array_elements(u.capacity) e where (e.value ->> 'from')::date <= on_day order by (e.value ->> 'from')::date desc limit 1),
    case when lower(trim(u.working_hours)) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then trim(u.working_hours)::uuid end,
    c.clock_id, n.default_clock_id)
  from tenant n
    left join "user" u on u.tenant_id = of_tenant and u.id = of_user
    left join container c on c.tenant_id = of_tenant and c.id = of_container
  where n.tenant_id = of_tenant and n.id = of_tenant $$;

-- Whether a day is a holiday or a day off of a clock. A day with hours of its own (`exceptions`) is neither.
create function is_holiday(of_tenant uuid, of_clock uuid, on_day date) returns boolean language sql stable as $$
  select exists (select 1 from clock k where k.tenant_id = of_tenant and k.id = of_clock and not k.deleted
    and not k.exceptions @> jsonb_build_array(jsonb_build_object('date', on_day))
    and (k.holidays @> jsonb_build_array(jsonb_build_object('date', on_day)) or exists (
      select 1 from unnest(k.non_working_day) as off(day) where case
        when off.day like '--%' then off.day = to_char(on_day, '"--"MM-DD')
        else to_char(on_day, 'YYYY-MM-DD') between split_part(off.day, '/', 1) and split_part(off.day || '/' || off.day, '/', 2) end))) $$;

-- The highest factors that hold for work on a day; one with times only for work that lies within them as a whole. A span of times that
-- ends at or before its start ends on the next day.
create function multipliers_on(of_tenant uuid, of_container uuid, of_crm uuid, of_user uuid, on_day date, from_at timestamp, to_at timestamp)
returns table (bill numeric, bill_id uuid, cost numeric, cost_id uuid) language sql stable as $$
  with holding as materialized (
    select m.id, m.bill, m.cost from multiplier m
    where m.tenant_id = of_tenant and not m.deleted
      and (m.owner = 0 or lower(m.owner_id) = case m.owner when 1 then of_container when 4 then of_user when 6 then of_crm end::text)
      and coalesce(m."from" <= on_day, true) and coalesce(m."to" >= on_day, true)
      and case when m.weekdays = '{}' and not m.holidays then true
        when extract(isodow from on_day)::integer = any(m.weekdays) then true
        else m.holidays and is_holiday(of_tenant, clock_of_work(of_tenant, of_container, of_user, on_day), on_day) end
      and (m.start_time = '' or exists (select 1 from generate_series(-1, 0) as began
        where from_at >= from_at::date + began + m.start_time::interval
          and to_at <= from_at::date + began + case when m.end_time::interval <= m.start_time::interval then 1 else 0 end + m.end_time::interval))
  ), billed as (select * from holding where bill is not null order by bill desc, id limit 1),
  paid as (select * from holding where cost is not null order by cost desc, id limit 1)
  select coalesce(b.bill, 1), b.id, coalesce(p.cost, 1), p.id from (select 1) as one left join billed b on true left join paid p on true $$;

-- The price and the cost of an hour of work: the rates of its day, times the factors. Work without times has a day only.
create function prices_on(of_tenant uuid, of_item uuid, of_container uuid, of_crm uuid, of_user uuid, of_job_role uuid, on_day date,
  from_at timestamptz, to_at timestamptz, timezone text)
returns table (bill numeric, currency text, bill_source text, multiplier numeric, multiplier_id uuid,
  cost numeric, cost_source text, cost_multiplier numeric, cost_multiplier_id uuid) language sql stable as $$
  select round(r.bill * m.bill, 4), r.currency, r.bill_source, case when r.bill is null then 1 else m.bill end, case when r.bill is not null then m.bill_id end,
    round(r.cost * m.cost, 4), r.cost_source, case when r.cost is null then 1 else m.cost end, case when r.cost is not null then m.cost_id end
  from rates_on(of_tenant, of_item, of_container, of_crm, of_user, of_job_role, on_day) r
    cross join multipliers_on(of_tenant, of_container, of_crm, of_user, on_day,
      from_at at time zone coalesce(nullif(timezone, ''), 'UTC'), to_at at time zone coalesce(nullif(timezone, ''), 'UTC')) m $$;

-- The times of a corrected entry are those of its work, so that the replacement has its factors.
create or replace function price_time() returns trigger language plpgsql as $$
declare
  billed boolean;
  around record;
  found record;
begin
  if tg_op = 'UPDATE' then
    if old.state in (3, 5, 6) or new.reverses_id is not null then return new; end if;
    if (new.user_id, new.item_id, new.container_id, new.non_billable, new.date, new.job_role_id, new.billable)
        is not distinct from (old.user_id, old.item_id, old.container_id, old.non_billable, old.date, old.job_role_id, old.billable)
      and not exists (select 1 from multiplier m where m.tenant_id = new.tenant_id and m.start_time <> '' and not m.deleted) then return new; end if;
    if new.user_id <> old.user_id and new.job_role_id is not distinct from old.job_role_id then new.job_role_id := null; end if;
    if (new.item_id, new.container_id) is distinct from (old.item_id, old.container_id) then new.crm_id := null; end if;
  end if;
  select u.job_role, i.crm_id as item_crm, c.crm_id as container_crm, c.billable, coalesce(new.start, o.start) as from_at, coalesce(new."end", o."end") as to_at,
      exists (select 1 from rate r where r.tenant_id = new.tenant_id and not r.deleted) as has_rates,
      u.split <> '[]' or u.cost_center <> '' or coalesce(c.split <> '[]' or c.cost_center <> '', false) as is_charged into around
    from (select 1) as one
    left join "user" u on u.tenant_id = new.tenant_id and u.id = new.user_id
    left join item i on i.tenant_id = new.tenant_id and i.id = new.item_id
    left join container c on c.tenant_id = new.tenant_id and c.id = new.container_id
    left join time o on o.tenant_id = new.tenant_id and o.id = new.corrects_id;
  if new.job_role_id is null and around.job_role <> '' then
    select j.id into new.job_role_id from job_role j where j.tenant_id = new.tenant_id and not j.deleted
      and (j.id::text = lower(around.job_role) or (j.code <> '' and lower(j.code) = lower(around.job_role))) limit 1;
  end if;
  new.crm_id := coalesce(new.crm_id, around.item_crm, around.container_crm);
  billed := case when new.billable = 1 then true when new.billable = 0 or new.non_billable is not null then false
    else coalesce(around.billable, false) end;
  if around.has_rates then
    select * into found from prices_on(new.tenant_id, new.item_id, new.container_id, new.crm_id, new.user_id, new.job_role_id,
      coalesce(new.corrected_date, new.date), around.from_at, around.to_at, new.timezone);
  else
    select null::numeric as bill, '' as currency, 'missing' as bill_source, 1::numeric as multiplier, null::uuid as multiplier_id,
      null::numeric as cost, 'missing' as cost_source, 1::numeric as cost_multiplier, null::uuid as cost_multiplier_id into found;
  end if;
  new.cost_rate := found.cost;
  new.cost_source := found.cost_source;
  new.cost_multiplier := found.cost_multiplier;
  new.cost_multiplier_id := found.cost_multiplier_id;
  if new.rate_source <> 'entry' then
    new.bill_rate := case when billed then found.bill end;
    new.currency := case when billed then found.currency else '' end;
    new.rate_source := case when billed then found.bill_source else 'none' end;
    new.multiplier := case when billed then found.multiplier else 1 end;
    new.multiplier_id := case when billed then found.multiplier_id end;
  elsif new.currency = '' then
    new.currency := coalesce((select t.currency from tenant t where t.tenant_id = new.tenant_id and t.currency ~ '^[A-Z]{3}$'), '');
  end if;
  if tg_op = 'INSERT' and around.is_charged and new.cost_center_source = '' then
    select s.source, s.one, s.several into new.cost_center_source, new.cost_center_id, new.shares
      from cost_shares_on(new.tenant_id, new.container_id, new.user_id, coalesce(new.corrected_date, new.date)) s;
  end if;
  return new;
end $$;
drop trigger time_is_priced_again on time;
create trigger time_is_priced_again before update on time for each row when (
  (new.user_id, new.item_id, new.container_id, new.non_billable, new.date, new.job_role_id, new.billable, new.start, new."end")
  is distinct from (old.user_id, old.item_id, old.container_id, old.non_billable, old.date, old.job_role_id, old.billable, old.start, old."end"))
  execute function price_time();
