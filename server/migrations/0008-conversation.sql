-- What people say about an item, what a desk knows about its tickets, and items that became one.

create table annotation (
  like record including all,
  item_id       uuid,
  owner         integer not null default 0,
  owner_id      text not null default '',
  kind          integer not null default 0,
  body          text not null default '',
  body_format   text not null default 'markdown',
  author_id     uuid,
  via           integer not null default 4,
  reply_to_id   uuid,
  restricted_to uuid[] not null default '{}',
  attachments   uuid[] not null default '{}',
  mentions      uuid[] not null default '{}',
  pinned        boolean not null default false,
  resolved_at   timestamptz,
  notified_at   timestamptz,
  mail          jsonb not null default '{}',
  time_id       uuid,
  anchor        jsonb not null default '{}',
  -- The item it was said about, before that one was merged into another.
  merged_from   uuid
);
call records('annotation');
alter table annotation add foreign key (tenant_id, item_id) references item (tenant_id, id);
alter table annotation add foreign key (tenant_id, reply_to_id) references annotation (tenant_id, id);
create index annotation_of_item on annotation (tenant_id, item_id, id) where item_id is not null;
create index annotation_of_owner on annotation (tenant_id, owner_id, id) where item_id is null;
create index annotation_replies on annotation (tenant_id, reply_to_id) where reply_to_id is not null;

-- What an annotation said before it was edited.
create table annotation_version (
  tenant_id     uuid not null,
  annotation_id uuid not null,
  version       integer not null,
  at            timestamptz not null,
  by            uuid not null,
  body          text not null,
  body_format   text not null,
  primary key (tenant_id, annotation_id, version),
  foreign key (tenant_id, annotation_id) references annotation (tenant_id, id)
);
call wall('annotation_version');

create table annotation_reaction (
  tenant_id     uuid not null,
  annotation_id uuid not null,
  emoji         text not null,
  user_id       uuid not null,
  at            timestamptz not null,
  primary key (tenant_id, annotation_id, emoji, user_id),
  foreign key (tenant_id, annotation_id) references annotation (tenant_id, id)
);
call wall('annotation_reaction');

-- What somebody has begun to write about an item: one each.
create table annotation_draft (
  tenant_id   uuid not null,
  item_id     uuid not null,
  user_id     uuid not null,
  updated     timestamptz not null,
  kind        integer not null,
  body        text not null,
  body_format text not null,
  primary key (tenant_id, item_id, user_id),
  foreign key (tenant_id, item_id) references item (tenant_id, id)
);
call wall('annotation_draft');

-- What a desk knows about an item: a row with the item's id, made when it is first needed.
create table ticket (
  like record including all,
  requester         jsonb not null default '{}',
  cc                text[] not null default '{}',
  channel           integer not null default 4,
  mailbox_id        text not null default '',
  queue_group_id    uuid,
  waiting_on        integer not null default 0,
  snoozed_until     timestamptz,
  satisfaction      jsonb not null default '{}',
  first_reply_at    timestamptz,
  reopen_count      integer not null default 0,
  last_requester_at timestamptz,
  last_staff_at     timestamptz,
  language          text not null default '',
  spam              boolean not null default false,
  spam_score        numeric not null default 0,
  -- The ticket that took over when a message came long after this one was closed.
  follow_up_id      uuid
);
call records('ticket');
alter table ticket add foreign key (tenant_id, id) references item (tenant_id, id);
create index ticket_of_queue on ticket (tenant_id, queue_group_id, id) where queue_group_id is not null;

-- Whose turn it was last, when the tickets of a group are dealt out.
create table group_turn (
  tenant_id uuid not null,
  group_id  uuid not null,
  user_id   uuid not null,
  turn      bigint not null,
  primary key (tenant_id, group_id, user_id),
  foreign key (tenant_id, group_id) references user_group (tenant_id, id)
);
call wall('group_turn');

-- Who looks at an item at this moment. Nothing is lost if it is: whoever is still there says so again within seconds.
create unlogged table presence (
  tenant_id uuid not null,
  item_id   uuid not null,
  user_id   uuid not null,
  state     text not null,
  seen      timestamptz not null,
  primary key (tenant_id, item_id, user_id)
);
call wall('presence');
create index presence_of_user on presence (tenant_id, user_id);

-- An item that became part of another: how it was before, and what went over, so that it can be undone.
create table item_merge (
  tenant_id uuid not null,
  source_id uuid not null,
  target_id uuid not null,
  at        timestamptz not null,
  by        uuid not null,
  before    jsonb not null,
  gained    jsonb not null,
  primary key (tenant_id, source_id),
  foreign key (tenant_id, source_id) references item (tenant_id, id),
  foreign key (tenant_id, target_id) references item (tenant_id, id)
);
call wall('item_merge');
create index item_merge_target on item_merge (tenant_id, target_id);

create table item_merge_part (
  tenant_id uuid not null,
  source_id uuid not null,
  entity    text not null,
  record_id uuid not null,
  primary key (tenant_id, source_id, entity, record_id),
  foreign key (tenant_id, source_id) references item_merge (tenant_id, source_id) on delete cascade
);
call wall('item_merge_part');
