-- The calendars that divide the time of users into periods which are submitted and approved.
create table time_calendar (
  like record including all,
  name              text not null,
  user_groups       uuid[] not null default '{}',
  "order"           integer not null default 0,
  kind              integer not null default 0,
  week_start        integer not null default 1,
  dates             text[] not null default '{}',
  "from"            date,
  grace_days        integer,
  approval          integer not null default 0,
  approver_group_id uuid,
  self_approval     boolean not null default false,
  remind_after_days integer[] not null default '{}',
  auto_submit       boolean not null default false
);
call records('time_calendar');
