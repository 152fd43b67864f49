-- How the time of a container is rounded when it is billed.
alter table container add column rounding jsonb not null default '{}';
