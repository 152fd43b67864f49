-- How items are scheduled: by what they may be moved, and which ends a link ties.
alter table item
  add column scheduling       integer not null default 0,
  add column start_no_earlier date;
alter table link add column dependency integer not null default 0;
