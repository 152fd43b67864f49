-- Leave of users. The absences that users' records held become leave that is approved.

create table leave (
  like record including all,
  user_id      uuid not null,
  non_billable uuid,
  kind         integer not null default 0,
  "from"       date not null,
  "to"         date,
  from_half    integer not null default 0,
  to_half      integer not null default 0,
  note         text not null default '',
  state        integer not null default 0,
  comment      text not null default '',
  decided_by   uuid,
  decided_at   timestamptz
);
call records('leave');

alter table "user" no force row level security;
alter table leave no force row level security;
insert into leave (tenant_id, id, created, created_by, updated, updated_by, user_id, kind, "from", "to", note, state)
  select u.tenant_id, gen_random_uuid(), u.updated, u.updated_by, u.updated, u.updated_by, u.id,
    coalesce((a ->> 'kind')::integer, 0), (a ->> 'from')::date, (a ->> 'to')::date, coalesce(a ->> 'note', ''), 1
  from "user" u cross join jsonb_array_elements(u.absence) a
  where u.absence <> '[]' and a ->> 'from' is not null;
alter table "user" force row level security;
alter table leave force row level security;

alter table leave add foreign key (tenant_id, user_id) references "user" (tenant_id, id);
alter table leave add foreign key (tenant_id, non_billable) references non_billable (tenant_id, id);
create index leave_of_user on leave (tenant_id, user_id, "from") where not deleted;
create index leave_of_code on leave (tenant_id, non_billable) where non_billable is not null;
alter table "user" drop column absence;

alter table non_billable
  add column unit    integer not null default 0,
  add column paid    boolean not null default true,
  add column limited boolean not null default false;

-- How much leave of a code a user has in a year.
create table leave_allowance (
  like record including all,
  user_id       uuid not null,
  non_billable  uuid not null,
  year          integer not null,
  amount        numeric not null default 0,
  carried       numeric not null default 0,
  carried_until date,
  note          text not null default ''
);
call records('leave_allowance');
alter table leave_allowance add foreign key (tenant_id, user_id) references "user" (tenant_id, id);
alter table leave_allowance add foreign key (tenant_id, non_billable) references non_billable (tenant_id, id);
create unique index leave_allowance_year_taken on leave_allowance (tenant_id, user_id, non_billable, year) where not deleted;
create index leave_allowance_of_code on leave_allowance (tenant_id, non_billable);

-- Who is forgotten is forgotten in the log of their leave, too: its reason goes, its days stay.
create or replace function forget_in_log(person uuid) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform set_config('app.forgetting', 'on', true);
  perform forget_in_events(person);
  update event e set changes = e.changes - array['kind', 'note', 'comment', 'nonBillable']
  where e.tenant_id = current_tenant() and e.entity = 'Leave'
    and e.record_id in (select l.id from leave l where l.tenant_id = current_tenant() and l.user_id = person);
  perform set_config('app.forgetting', '', true);
end $$;
