-- A clock that follows the sun counts the hours of several clocks, each with the group that is responsible in them.
alter table clock add column regions jsonb not null default '[]';
