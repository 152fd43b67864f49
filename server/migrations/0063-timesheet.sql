-- The sheets of users, one for each period; the constraint keeps those of a user from overlapping.
create extension if not exists btree_gist;

create table timesheet (
  like record including all,
  user_id      uuid not null,
  calendar_id  uuid,
  "from"       date not null,
  "to"         date not null,
  state        integer not null default 0,
  approval     integer not null default 0,
  parts        jsonb not null default '[]',
  submitted_at timestamptz,
  submitted_by uuid,
  reminded     integer not null default 0,
  check ("from" <= "to"),
  exclude using gist (tenant_id with =, user_id with =, daterange("from", "to", '[]') with &&)
);
call records('timesheet');
alter table timesheet add foreign key (tenant_id, user_id) references "user" (tenant_id, id);
create index timesheet_of_user on timesheet (tenant_id, user_id, "from");
-- What waits for somebody, and what is not submitted yet, are few among all sheets.
create index timesheet_waiting on timesheet (tenant_id, id) where state in (1, 3);
create index timesheet_open on timesheet (tenant_id, "to") where state in (0, 3);

create table time_delegation (
  like record including all,
  from_user_id uuid not null,
  to_user_id   uuid not null,
  "from"       date not null,
  "to"         date not null,
  note         text not null default '',
  check ("from" <= "to")
);
call records('time_delegation');
alter table time_delegation add foreign key (tenant_id, from_user_id) references "user" (tenant_id, id);
alter table time_delegation add foreign key (tenant_id, to_user_id) references "user" (tenant_id, id);
create index time_delegation_to on time_delegation (tenant_id, to_user_id, "to") where not deleted;

-- Up to which day time is closed for everybody: one record a tenant, with the tenant's own id.
create table time_closing (
  like record including all,
  until  date,
  reason text not null default ''
);
call records('time_closing');
alter table time_closing add constraint time_closing_is_one check (id = tenant_id);

-- The tenants with calendars are found without a query per tenant.
grant select (tenant_id, deleted) on time_calendar to gantry_door;
create policy door on time_calendar for select to gantry_door using (true);
