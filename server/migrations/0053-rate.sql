-- The price and the cost of an hour, for a scope and a period. `level` is the place of the scope in the order of precedence.
create table rate (
  like record including all,
  item_id      uuid,
  container_id uuid,
  crm_id       uuid,
  user_id      uuid,
  job_role_id  uuid,
  "from"       date not null,
  "to"         date,
  bill         numeric(19,4),
  cost         numeric(19,4),
  currency     text not null default '',
  note         text not null default '',
  level        integer not null generated always as (case
    when item_id is not null then 2
    when container_id is not null and user_id is not null then 3
    when container_id is not null and job_role_id is not null then 4
    when container_id is not null then 5
    when crm_id is not null and user_id is not null then 6
    when crm_id is not null and job_role_id is not null then 7
    when crm_id is not null then 8
    when user_id is not null then 9
    when job_role_id is not null then 10
    else 11 end) stored
);
create index rate_of_item on rate (tenant_id, item_id) where item_id is not null and not deleted;
create index rate_of_container on rate (tenant_id, container_id) where container_id is not null and not deleted;
create index rate_of_crm on rate (tenant_id, crm_id) where crm_id is not null and not deleted;
create index rate_of_user on rate (tenant_id, user_id) where user_id is not null and not deleted;
create index rate_of_job_role on rate (tenant_id, job_role_id) where job_role_id is not null and not deleted;
create index rate_of_tenant on rate (tenant_id, "from") where level = 11 and not deleted;

-- The rates of users become rows. An amount of 0 was the default of an absent one, and says nothing now.
alter table "user" no force row level security;
insert into rate (tenant_id, id, created, created_by, updated, updated_by, user_id, "from", bill, cost, currency)
  select u.tenant_id, gen_random_uuid(), u.updated, u.updated_by, u.updated, u.updated_by, u.id, (r.entry ->> 'from')::date,
    nullif(round((r.entry ->> 'bill')::numeric, 4), 0), nullif(round((r.entry ->> 'cost')::numeric, 4), 0), coalesce(r.entry ->> 'currency', '')
  from "user" u cross join jsonb_array_elements(u.rates) as r (entry)
  where coalesce((r.entry ->> 'bill')::numeric, 0) > 0 or coalesce((r.entry ->> 'cost')::numeric, 0) > 0;
alter table "user" force row level security;
alter table "user" drop column rates;
call records('rate');
