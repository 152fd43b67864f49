-- What staff write in a room with a visitor for themselves.
alter table chat_message add column internal boolean not null default false;

-- The other side of a chat room that a visitor of the portal has begun.
create table visitor_chat (
  tenant_id    uuid not null,
  room_id      uuid not null,
  container_id uuid not null,
  -- The token itself is known to the visitor only.
  token_digest text not null,
  name         text not null,
  email        text not null default '',
  -- A digest of the network that the visitor came from, until the chat ends.
  network      text not null,
  begun        timestamptz not null,
  left_at      timestamptz,
  -- It became a ticket, or nobody wrote for too long.
  ended_at     timestamptz,
  item_id      uuid,
  primary key (tenant_id, room_id),
  foreign key (tenant_id, room_id) references chat_room (tenant_id, id)
);
call wall('visitor_chat');
create unique index visitor_chat_token_taken on visitor_chat (tenant_id, token_digest);
create index visitor_chat_open on visitor_chat (tenant_id, room_id) where ended_at is null;
create index visitor_chat_ended on visitor_chat (tenant_id, ended_at) where ended_at is not null;

-- A recurring job finds the open chats of all tenants, and follows them tenant by tenant.
create index visitor_chat_to_follow on visitor_chat (room_id) where ended_at is null;
grant select (tenant_id, room_id, ended_at) on visitor_chat to gantry_door;
create policy door on visitor_chat for select to gantry_door using (true);
