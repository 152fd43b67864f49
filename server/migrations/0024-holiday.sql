-- Holidays that come by themselves: those of a country, and those of a calendar that somebody publishes.

alter table clock
  add column holiday_country text not null default '',
  add column holiday_feed    text not null default '',
  -- The days that came, with their names. They stand with each version of the hours, too: what was counted stays counted.
  add column holidays        jsonb not null default '[]';

-- How the reading of such a calendar goes.
create table clock_feed (
  tenant_id     uuid not null,
  clock_id      uuid not null,
  fetched_at    timestamptz,
  last_error    text not null default '',
  days          integer not null default 0,
  -- Events with a time of day, which are no holidays.
  timed         integer not null default 0,
  -- By which the other side knows whether anything is new.
  etag          text not null default '',
  last_modified text not null default '',
  primary key (tenant_id, clock_id),
  foreign key (tenant_id, clock_id) references clock (tenant_id, id) on delete cascade
);
call wall('clock_feed');
