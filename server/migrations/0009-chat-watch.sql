-- People talking beside the work, and people who want to be told of it.

create table chat_room (
  like record including all,
  name     text not null default '',
  topic    text not null default '',
  kind     integer not null default 0,
  owner    integer not null default 0,
  owner_id text not null default '',
  members  uuid[] not null default '{}',
  archived boolean not null default false,
  -- The people of a direct room as one text: the same people have one such room.
  pair     text
);
call records('chat_room');
create unique index chat_room_members_taken on chat_room (tenant_id, pair) where pair is not null and not deleted;
create index chat_room_of_owner on chat_room (tenant_id, owner, owner_id) where not deleted;

create table chat_message (
  like record including all,
  room_id     uuid not null,
  body        text not null default '',
  reply_to_id uuid,
  files       uuid[] not null default '{}',
  mentions    uuid[] not null default '{}',
  client_id   text not null default '',
  edited_at   timestamptz,
  item_id     uuid
);
call records('chat_message');
alter table chat_message add foreign key (tenant_id, room_id) references chat_room (tenant_id, id);
create index chat_message_of_room on chat_message (tenant_id, room_id, id);
create unique index chat_message_client_id_taken on chat_message (tenant_id, room_id, created_by, client_id) where client_id <> '';

create table chat_reaction (
  tenant_id  uuid not null,
  message_id uuid not null,
  user_id    uuid not null,
  emoji      text not null,
  at         timestamptz not null,
  primary key (tenant_id, message_id, emoji, user_id),
  foreign key (tenant_id, message_id) references chat_message (tenant_id, id)
);
call wall('chat_reaction');

-- How far somebody has read; whoever has a row takes part in the room.
create table chat_marker (
  tenant_id  uuid not null,
  user_id    uuid not null,
  room_id    uuid not null,
  message_id uuid,
  at         timestamptz not null,
  primary key (tenant_id, user_id, room_id),
  foreign key (tenant_id, room_id) references chat_room (tenant_id, id)
);
call wall('chat_marker');

create table watch (
  like record including all,
  user_id       uuid,
  user_group_id uuid,
  email         text not null default '',
  owner         integer not null default 0,
  owner_id      text not null default '',
  level         integer not null default 0,
  reason        integer not null default 0,
  until         timestamptz
);
call records('watch');
create unique index watch_user_id_taken on watch (tenant_id, owner, owner_id, user_id) where user_id is not null and not deleted;
create unique index watch_user_group_id_taken on watch (tenant_id, owner, owner_id, user_group_id) where user_group_id is not null and not deleted;
create unique index watch_email_taken on watch (tenant_id, owner, owner_id, lower(email)) where email <> '' and not deleted;
create index watch_of_user on watch (tenant_id, user_id, id) where user_id is not null and not deleted;
