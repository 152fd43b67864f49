-- What money is computed from: job roles, reasons of budget changes, and what is sold.

create table job_role (
  like record including all,
  code        text not null default '',
  name        text not null,
  description text not null default '',
  skills      text[] not null default '{}',
  active      boolean not null default true
);
call records('job_role');
create unique index job_role_code_taken on job_role (tenant_id, lower(code)) where code <> '' and not deleted;

create table budget_reason (
  like record including all,
  code              text not null default '',
  name              text not null,
  description       text not null default '',
  kind              integer not null default 0,
  requires_approval boolean not null default false,
  active            boolean not null default true
);
call records('budget_reason');
create unique index budget_reason_code_taken on budget_reason (tenant_id, lower(code)) where code <> '' and not deleted;

create table sku (
  like record including all,
  code             text not null default '',
  name             text not null,
  description      text not null default '',
  kind             integer not null default 0,
  unit             text not null default '',
  price            jsonb not null default '[]',
  cost             jsonb not null default '[]',
  tax_code         text not null default '',
  included_minutes integer not null default 0,
  clock_id         uuid,
  active           boolean not null default true,
  valid_from       date,
  valid_to         date
);
call records('sku');
create unique index sku_code_taken on sku (tenant_id, lower(code)) where code <> '' and not deleted;
