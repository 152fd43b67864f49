-- The running timer of a user. One that was stopped or discarded is deleted.
create table timer (
  like record including all,
  user_id      uuid not null,
  item_id      uuid,
  non_billable uuid,
  note         text not null default '',
  billable     integer not null default 2,
  started_at   timestamptz,
  stopped_at   timestamptz,
  overdue      boolean not null default false,
  -- When the job that warns and stops looks at it.
  look_at      timestamptz
);
call records('timer');
alter table timer add foreign key (tenant_id, user_id) references "user" (tenant_id, id);
create unique index timer_user_id_taken on timer (tenant_id, user_id) where not deleted;
create index timer_due on timer (look_at) where not deleted;
grant select (tenant_id, id, user_id, deleted, look_at) on timer to gantry_door;
create policy door on timer for select to gantry_door using (true);
