-- Corrections of closed time. A counter-entry takes an entry back (`reverses_id`), and a replacement says what is right; both name
-- the first entry of the chain (`corrects_id`). Time is counted by `date`, and priced and billed by `effective_date`, the day of
-- the work.
drop index time_of_crm;
alter table time
  add column corrects_id    uuid,
  add column reverses_id    uuid,
  add column corrected_date date,
  add column effective_date date generated always as (coalesce(corrected_date, date)) stored;
create index time_of_crm on time (tenant_id, crm_id, effective_date) where crm_id is not null and not deleted;
create index time_of_chain on time (tenant_id, corrects_id) where corrects_id is not null;
create unique index time_reverses_id_taken on time (tenant_id, reverses_id) where reverses_id is not null and not deleted;

-- A counter-entry has the rates of the entry that it takes back, whatever the rates say now. A replacement is priced by the day of
-- the work; generated columns are not known to a trigger yet.
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
  return new;
end $$;
drop trigger time_is_priced on time;
create trigger time_is_priced before insert on time for each row
  when (new.rate_source in ('', 'entry') and new.reverses_id is null) execute function price_time();
