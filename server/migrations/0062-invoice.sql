-- Invoices and credit notes. The lines are a part of the document, which never changes once it is issued.

create table invoice_series (
  like record including all,
  name    text not null,
  pattern text not null default 'INV-{yyyy}-{0000}',
  next    integer not null default 1
);
call records('invoice_series');

create table invoice (
  like record including all,
  number         text not null default '',
  series_id      uuid,
  kind           integer not null default 0,
  state          integer not null default 0,
  crm_id         uuid,
  currency       text not null default '',
  "from"         date,
  "to"           date,
  reference      text not null default '',
  note           text not null default '',
  lines          jsonb not null default '[]',
  net            text not null default '',
  gross          text not null default '',
  taxes          jsonb not null default '[]',
  date           date,
  due_date       date,
  seller         jsonb not null default '{}',
  buyer          jsonb not null default '{}',
  credits_id     uuid,
  reason         text not null default '',
  exported_at    timestamptz,
  paid_at        timestamptz,
  mark_reference text not null default ''
);
call records('invoice');
create unique index invoice_number_taken on invoice (tenant_id, number) where number <> '';
create index invoice_of_crm on invoice (tenant_id, crm_id);
create index invoice_of_series on invoice (tenant_id, series_id, date) where number <> '';
create index invoice_of_credited on invoice (tenant_id, credits_id) where credits_id is not null;
