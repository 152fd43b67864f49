-- Time that customers have bought in advance. What is left of it is computed from the contract and the work, and stored nowhere.

create table contract (
  like record including all,
  crm_id               uuid,
  sku_id               uuid,
  name                 text not null,
  "from"               date,
  "to"                 date,
  period               integer not null default 0,
  included_minutes     integer not null default 0,
  price                numeric(19, 4) not null default 0,
  currency             text not null default '',
  rollover             integer not null default 0,
  rollover_max_minutes integer not null default 0,
  rollover_periods     integer not null default 1,
  container_ids        uuid[] not null default '{}',
  overage              integer not null default 0,
  overage_rate         numeric(19, 4),
  opening_minutes      integer not null default 0,
  "order"              integer not null default 0
);
call records('contract');
create index contract_of_crm on contract (tenant_id, crm_id) where not deleted;

-- The thresholds that a contract has reached in a period, so that the event of each is written once.
create table contract_alert (
  tenant_id   uuid not null,
  contract_id uuid not null,
  period_from date not null,
  threshold   integer not null,
  primary key (tenant_id, contract_id, period_from, threshold)
);
call wall('contract_alert');
