-- The time entries and the fees of contracts that documents hold. An entry is on one document until it is released; a row that adjusts
-- only charges something else for an entry of an earlier document.
create table invoice_entry (
  tenant_id       uuid not null,
  invoice_id      uuid not null,
  time_id         uuid not null,
  line_id         text not null default '',
  billed_seconds  integer not null default 0,
  charged_seconds integer not null default 0,
  adjusts         boolean not null default false,
  released        boolean not null default false,
  primary key (tenant_id, invoice_id, time_id),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id),
  foreign key (tenant_id, time_id) references time (tenant_id, id)
);
call wall('invoice_entry');
create unique index invoice_entry_once on invoice_entry (tenant_id, time_id) where not released and not adjusts;
create index invoice_entry_of_time on invoice_entry (tenant_id, time_id);

create table invoice_fee (
  tenant_id   uuid not null,
  invoice_id  uuid not null,
  contract_id uuid not null,
  period_from date not null,
  line_id     text not null default '',
  released    boolean not null default false,
  primary key (tenant_id, invoice_id, contract_id, period_from),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id),
  foreign key (tenant_id, contract_id) references contract (tenant_id, id)
);
call wall('invoice_fee');
create unique index invoice_fee_once on invoice_fee (tenant_id, contract_id, period_from) where not released;

alter table invoice add column group_by integer not null default 0;
alter table time
  add column invoice_id     uuid,
  add column billed_seconds integer;
-- What a customer has not been billed yet is little among all of its time.
create index time_unbilled on time (tenant_id, crm_id, effective_date) where invoice_id is null and crm_id is not null and not deleted;
create index crm_of_merged on crm (tenant_id, merged_into) where merged_into is not null;
