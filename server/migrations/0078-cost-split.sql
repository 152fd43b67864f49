-- Where the cost of an entry is counted. A user or a container names one cost centre, or divides its time between several from a
-- day on (`split`). An entry has one cost centre, or the shares of several, as facts of the booking.
alter table "user" add column split jsonb not null default '[]';
alter table container add column split jsonb not null default '[]';
alter table time
  add column cost_center_id     uuid,
  add column cost_center_source text not null default '',
  add column shares             jsonb not null default '[]';
create index time_of_cost_center on time (tenant_id, cost_center_id, date) where cost_center_id is not null and not deleted;

-- Under row level security an index on an expression is not used, so a code is found by a column.
drop index cost_center_code_taken;
alter table cost_center add column code_key text not null generated always as (lower(code)) stored;
create unique index cost_center_code_taken on cost_center (tenant_id, code_key) where code <> '' and not deleted;

-- The parts of entries that have several cost centres. The day is that of the entry, to read those of a period.
create table time_share (
  tenant_id      uuid not null,
  time_id        uuid not null,
  place          integer not null,
  cost_center_id uuid not null,
  date           date not null,
  seconds        integer not null,
  cost_amount    numeric(19,4),
  bill_amount    numeric(19,4),
  primary key (tenant_id, time_id, place),
  foreign key (tenant_id, time_id) references time (tenant_id, id)
);
call wall('time_share');
create index time_share_of_cost_center on time_share (tenant_id, cost_center_id, date);

-- Splits a whole number by percentages of four places that sum to 100: each part is cut off, and what is left goes one by one to the
-- largest remainders, of equal ones to the first.
create function split_by_shares(total numeric, shares jsonb) returns numeric[] language sql immutable as $$
  select array_agg(sign(total) * (c.part + case when c.nth <= abs(total) - c.given then 1 else 0 end) order by c.place)
  from (select p.place, p.part, sum(p.part) over () as given, row_number() over (order by p.rest desc, p.place) as nth
    from (select s.place, div(abs(total) * w.weight, 1000000) as part, mod(abs(total) * w.weight, 1000000) as rest
      from jsonb_array_elements(shares) with ordinality s(share, place)
        cross join lateral (select (s.share ->> 'percent')::numeric * 10000 as weight) w) p) c $$;

-- The cost centres of a day: those of the container, else those of the user; of each the split in force, else the cost centre that
-- it names by code or id. One that does not take time of this day is passed over, and so is a split that contains such a one.
create function cost_shares_on(of_tenant uuid, of_container uuid, of_user uuid, on_day date, out source text, out one uuid, out several jsonb)
language plpgsql stable as $$
declare
  place record;
  entry jsonb;
begin
  several := '[]';
  for place in
    select 'container' as source, c.split, lower(trim(c.cost_center)) as named, 1 as n from container c where c.tenant_id = of_tenant and c.id = of_container
    union all
    select 'user', u.split, lower(trim(u.cost_center)), 2 from "user" u where u.tenant_id = of_tenant and u.id = of_user
    order by n
  loop
    source := place.source;
    if place.split <> '[]' then
      select e.value into entry from jsonb_array_elements(place.split) e
        where (e.value ->> 'from')::date <= on_day order by (e.value ->> 'from')::date desc limit 1;
      if coalesce((entry ->> 'to')::date >= on_day, entry is not null) and not exists (select 1 from jsonb_array_elements(entry -> 'shares') s
          where not takes_time(of_tenant, (s.value ->> 'costCenterId')::uuid, on_day)) then
        if jsonb_array_length(entry -> 'shares') > 1 then several := entry -> 'shares';
        else one := (entry -> 'shares' -> 0 ->> 'costCenterId')::uuid; end if;
        return;
      end if;
    end if;
    if place.named <> '' then
      select k.id into one from cost_center k where k.tenant_id = of_tenant and k.code_key = place.named and k.code <> '' and not k.deleted;
      if one is null and place.named ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then one := place.named::uuid; end if;
      if takes_time(of_tenant, one, on_day) then return; end if;
      one := null;
    end if;
  end loop;
  source := '';
end $$;

create function takes_time(of_tenant uuid, of_center uuid, on_day date) returns boolean language sql stable as $$
  select exists (select 1 from cost_center k where k.tenant_id = of_tenant and k.id = of_center and not k.deleted and k.active
    and coalesce(k.valid_from <= on_day, true) and coalesce(k.valid_to >= on_day, true)) $$;

-- Like its price, the cost centre of an entry is found when it is new and when something changes that it depends on. One that was
-- given for the entry stays, and so does one on which others rely; a counter-entry has those of the entry that it takes back.
create function charge_time() returns trigger language plpgsql as $$
begin
  if old.state in (3, 5, 6) then return new; end if;
  select s.source, s.one, s.several into new.cost_center_source, new.cost_center_id, new.shares
    from cost_shares_on(new.tenant_id, new.container_id, new.user_id, coalesce(new.corrected_date, new.date)) s;
  return new;
end $$;
create trigger time_is_charged_again before update on time for each row when (new.cost_center_source <> 'entry' and new.reverses_id is null
  and (new.user_id, new.container_id, new.date) is distinct from (old.user_id, old.container_id, old.date)) execute function charge_time();

-- A new entry is charged where it is priced, because user and container are read there already: who names no cost centre pays nothing.
create or replace function price_time() returns trigger language plpgsql as $$
declare
  billed boolean;
  around record;
  found record;
begin
  if tg_op = 'UPDATE' then
    if old.state in (3, 5, 6) or new.reverses_id is not null then return new; end if;
    if new.user_id <> old.user_id and new.job_role_id is not distinct from old.job_role_id then new.job_role_id := null; end if;
    if (new.item_id, new.container_id) is distinct from (old.item_id, old.container_id) then new.crm_id := null; end if;
  end if;
  select u.job_role, i.crm_id as item_crm, c.crm_id as container_crm, c.billable,
      exists (select 1 from rate r where r.tenant_id = new.tenant_id and not r.deleted) as has_rates,
      u.split <> '[]' or u.cost_center <> '' or coalesce(c.split <> '[]' or c.cost_center <> '', false) as is_charged into around
    from (select 1) as one
    left join "user" u on u.tenant_id = new.tenant_id and u.id = new.user_id
    left join item i on i.tenant_id = new.tenant_id and i.id = new.item_id
    left join container c on c.tenant_id = new.tenant_id and c.id = new.container_id;
  if new.job_role_id is null and around.job_role <> '' then
    select j.id into new.job_role_id from job_role j where j.tenant_id = new.tenant_id and not j.deleted
      and (j.id::text = lower(around.job_role) or (j.code <> '' and lower(j.code) = lower(around.job_role))) limit 1;
  end if;
  new.crm_id := coalesce(new.crm_id, around.item_crm, around.container_crm);
  billed := case when new.billable = 1 then true when new.billable = 0 or new.non_billable is not null then false
    else coalesce(around.billable, false) end;
  if around.has_rates then
    select * into found from rates_on(new.tenant_id, new.item_id, new.container_id, new.crm_id, new.user_id, new.job_role_id,
      coalesce(new.corrected_date, new.date));
  else
    select null::numeric as bill, '' as currency, 'missing' as bill_source, null::numeric as cost, 'missing' as cost_source into found;
  end if;
  new.cost_rate := found.cost;
  new.cost_source := found.cost_source;
  if new.rate_source <> 'entry' then
    new.bill_rate := case when billed then found.bill end;
    new.currency := case when billed then found.currency else '' end;
    new.rate_source := case when billed then found.bill_source else 'none' end;
  elsif new.currency = '' then
    new.currency := coalesce((select t.currency from tenant t where t.tenant_id = new.tenant_id and t.currency ~ '^[A-Z]{3}$'), '');
  end if;
  if tg_op = 'INSERT' and around.is_charged and new.cost_center_source = '' then
    select s.source, s.one, s.several into new.cost_center_source, new.cost_center_id, new.shares
      from cost_shares_on(new.tenant_id, new.container_id, new.user_id, coalesce(new.corrected_date, new.date)) s;
  end if;
  return new;
end $$;

-- The parts follow the entry in the statement that writes it, whichever it is; they sum to it.
create function share_time() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from time_share s where s.tenant_id = old.tenant_id and s.time_id = old.id;
  end if;
  insert into time_share (tenant_id, time_id, place, cost_center_id, date, seconds, cost_amount, bill_amount)
  select new.tenant_id, new.id, s.place, (s.share ->> 'costCenterId')::uuid, new.date, p.seconds[s.place], p.cost[s.place] / 10000, p.bill[s.place] / 10000
  from jsonb_array_elements(new.shares) with ordinality s(share, place) cross join (select split_by_shares(new.seconds, new.shares) as seconds,
    split_by_shares(new.cost_amount * 10000, new.shares) as cost, split_by_shares(new.bill_amount * 10000, new.shares) as bill) p;
  return null;
end $$;
create trigger time_has_shares after insert on time for each row when (new.shares <> '[]') execute function share_time();
create trigger time_changes_shares after update on time for each row when ((old.shares <> '[]' or new.shares <> '[]')
  and (new.shares, new.date, new.seconds, new.cost_amount, new.bill_amount) is distinct from (old.shares, old.date, old.seconds, old.cost_amount, old.bill_amount))
  execute function share_time();
