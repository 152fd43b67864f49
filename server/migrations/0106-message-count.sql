-- How many messages a user got on a day (UTC), by what sent them and by channel.
create table message_count (
  tenant_id   uuid not null,
  user_id     uuid not null,
  day         date not null,
  source_kind text not null,
  -- The rule or notification that sent them, or the container that they are about; empty if there is none.
  source_id   text not null,
  channel     text not null,
  count       integer not null,
  primary key (tenant_id, user_id, day, source_kind, source_id, channel)
);
call wall('message_count');
create index message_count_day on message_count (tenant_id, day);
create index message_count_of_source on message_count (tenant_id, source_id, day) where source_id <> '';
