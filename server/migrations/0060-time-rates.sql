-- What an hour of an entry costs and what the customer pays for it. Amounts follow from the length; both are stored, because
-- sums are read from them.
alter table time
  add column crm_id           uuid,
  add column job_role_id      uuid,
  add column sku_id           uuid,
  add column budget_reason_id uuid,
  add column bill_rate        numeric(19,4),
  add column cost_rate        numeric(19,4),
  add column currency         text not null default '',
  add column rate_source      text not null default '',
  add column cost_source      text not null default '',
  add column bill_amount      numeric(19,4) generated always as (round(seconds * bill_rate / 3600, 4)) stored,
  add column cost_amount      numeric(19,4) generated always as (round(seconds * cost_rate / 3600, 4)) stored;
create index time_of_crm on time (tenant_id, crm_id, date) where crm_id is not null and not deleted;

-- The price and the cost of an hour on a day: of each level the rate that began last, if it has not ended, and of the levels the
-- first that says something. An entry has one scope on each level, so the level alone tells scopes apart.
create function rates_on(of_tenant uuid, of_item uuid, of_container uuid, of_crm uuid, of_user uuid, of_job_role uuid, on_day date)
returns table (bill numeric, currency text, bill_source text, cost numeric, cost_source text) language sql stable as $$
  with begun as (
    select distinct on (r.level) r.level, r."to", r.bill, r.cost, r.currency from rate r
    where r.tenant_id = of_tenant and not r.deleted and r."from" <= on_day
      and (r.item_id = of_item or r.container_id = of_container or r.crm_id = of_crm or r.user_id = of_user or r.job_role_id = of_job_role or r.level = 11)
      and (r.item_id is null or r.item_id = of_item) and (r.container_id is null or r.container_id = of_container)
      and (r.crm_id is null or r.crm_id = of_crm) and (r.user_id is null or r.user_id = of_user)
      and (r.job_role_id is null or r.job_role_id = of_job_role)
    order by r.level, r."from" desc
  ), live as (
    select b.*, case when t.currency ~ '^[A-Z]{3}$' then t.currency else '' end as home,
      ('{entry,item,containerUser,containerJobRole,container,crmUser,crmJobRole,crm,user,jobRole,tenant}'::text[])[b.level] as source
    from begun b join tenant t on t.tenant_id = of_tenant where b."to" is null or b."to" >= on_day
  ), billed as (select * from live where bill is not null order by level limit 1),
  paid as (select * from live where cost is not null and (currency = '' or home in ('', currency)) order by level limit 1)
  select b.bill, coalesce(nullif(b.currency, ''), b.home, ''), coalesce(b.source, 'missing'), p.cost, coalesce(p.source, 'missing')
  from (select 1) as one left join billed b on true left join paid p on true $$;

-- Entries are booked, imported, moved, merged and undone on many ways, and each of them prices an entry when it is new and when
-- something changes that its rates depend on. A price that was given for the entry stays, and so does one on which others rely.
create function price_time() returns trigger language plpgsql as $$
declare
  billed boolean;
  around record;
  found record;
begin
  if tg_op = 'UPDATE' then
    if old.state in (3, 5, 6) then return new; end if;
    if new.user_id <> old.user_id and new.job_role_id is not distinct from old.job_role_id then new.job_role_id := null; end if;
    if (new.item_id, new.container_id) is distinct from (old.item_id, old.container_id) then new.crm_id := null; end if;
  end if;
  select u.job_role, i.crm_id as item_crm, c.crm_id as container_crm, c.billable,
      exists (select 1 from rate r where r.tenant_id = new.tenant_id and not r.deleted) as has_rates into around
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
    select * into found from rates_on(new.tenant_id, new.item_id, new.container_id, new.crm_id, new.user_id, new.job_role_id, new.date);
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
  return new;
end $$;
create trigger time_is_priced before insert on time for each row when (new.rate_source in ('', 'entry')) execute function price_time();
create trigger time_is_priced_again before update on time for each row when (
  (new.user_id, new.item_id, new.container_id, new.non_billable, new.date, new.job_role_id, new.billable)
  is distinct from (old.user_id, old.item_id, old.container_id, old.non_billable, old.date, old.job_role_id, old.billable))
  execute function price_time();
