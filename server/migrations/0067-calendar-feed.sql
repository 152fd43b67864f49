-- Calendar feeds: addresses by which a calendar program reads what is planned for a user. The secret part is stored as a digest.
create table calendar_feed (
  tenant_id uuid not null,
  id        uuid not null,
  user_id   uuid not null,
  name      text not null,
  digest    bytea not null,
  created   timestamptz not null,
  last_used timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references "user" (tenant_id, id)
);
call wall('calendar_feed');
create index calendar_feed_of_user on calendar_feed (tenant_id, user_id);
-- The tenant is not known before the feed is.
create index calendar_feed_digest on calendar_feed (digest);
grant select (tenant_id, id, user_id, digest) on calendar_feed to gantry_door;
create policy door on calendar_feed for select to gantry_door using (true);
