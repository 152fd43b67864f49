-- What people are told: their inbox, what they want to hear of and how, and questions that are asked by the clock.

-- One row for each bundle: what happened to one item, or one change of many, since its reader last looked.
create table inbox_entry (
  like record including all,
  user_id        uuid not null,
  -- What belongs together; an archived bundle takes up nothing more.
  bundle         text not null,
  subject        text not null default 'Item',
  subject_id     uuid,
  item_ids       uuid[] not null default '{}',
  reason         integer not null default 0,
  events         text[] not null default '{}',
  change_set_ids uuid[] not null default '{}',
  actor_ids      uuid[] not null default '{}',
  count          integer not null default 0,
  text           text not null default '',
  unread         boolean not null default true,
  archived       boolean not null default false,
  snoozed_until  timestamptz,
  -- Whether it stands in the inbox, or is only there for the next mail.
  in_app         boolean not null default true,
  mail_due       timestamptz,
  mailed_at      timestamptz
);
call records('inbox_entry');
create unique index inbox_entry_bundle_taken on inbox_entry (tenant_id, user_id, bundle) where not archived;
create index inbox_entry_listed on inbox_entry (tenant_id, user_id, updated, id) where not archived;
create index inbox_entry_unread on inbox_entry (tenant_id, user_id, updated) where unread and not archived;
create index inbox_entry_due on inbox_entry (tenant_id, user_id, mail_due) where mail_due is not null;
create index inbox_entry_age on inbox_entry (tenant_id, updated);

-- Which stretches of the log the inbox has taken in, by the first event of each: none is taken in twice.
create table inbox_done (
  tenant_id uuid not null,
  xact      xid8 not null,
  id        uuid not null,
  at        timestamptz not null,
  primary key (tenant_id, xact, id)
);
create index inbox_done_age on inbox_done (tenant_id, at);
call wall('inbox_done');

-- What a watched filter finds, so that coming and going is known; a filter that finds too much is not followed.
create table watched_filter (
  tenant_id uuid not null,
  filter_id uuid not null,
  version   integer not null,
  followed  boolean not null,
  primary key (tenant_id, filter_id)
);
call wall('watched_filter');
create table watched_filter_item (
  tenant_id uuid not null,
  filter_id uuid not null,
  item_id   uuid not null,
  primary key (tenant_id, filter_id, item_id),
  foreign key (tenant_id, filter_id) references watched_filter (tenant_id, filter_id) on delete cascade
);
call wall('watched_filter_item');
create index watch_of_record on watch (tenant_id, owner, owner_id) where not deleted;

create table notification_preference (
  tenant_id   uuid not null,
  user_id     uuid not null,
  digest      integer not null default 1,
  quiet_hours boolean not null default true,
  events      jsonb not null default '[]',
  updated     timestamptz not null,
  primary key (tenant_id, user_id)
);
call wall('notification_preference');

alter table notification
  add column at          text not null default '',
  add column weekday     text not null default '',
  add column timezone    text not null default '',
  add column schedule    text not null default '',
  add column template_id uuid,
  add column format      integer not null default 0,
  add column digest      boolean not null default false,
  add column group_by    text not null default '';

-- How far a notification is: what its runs leave behind, apart from what people write.
create table notification_state (
  tenant_id       uuid not null,
  notification_id uuid not null,
  next_run        timestamptz,
  last_run        timestamptz,
  last_count      integer not null default 0,
  last_list       text not null default '',
  last_error      text not null default '',
  primary key (tenant_id, notification_id),
  foreign key (tenant_id, notification_id) references notification (tenant_id, id)
);
call wall('notification_state');

-- One run for each planned moment, whoever plans it and how often.
create table notification_run (
  tenant_id       uuid not null,
  id              uuid not null,
  notification_id uuid not null,
  planned         timestamptz not null,
  at              timestamptz not null,
  asked_by        uuid,
  count           integer not null default 0,
  more            boolean not null default false,
  item_ids        uuid[] not null default '{}',
  outcome         integer not null default 0,
  error           text not null default '',
  primary key (tenant_id, id),
  foreign key (tenant_id, notification_id) references notification (tenant_id, id)
);
create unique index notification_run_planned_taken on notification_run (tenant_id, notification_id, planned);
create index notification_run_age on notification_run (tenant_id, at);
call wall('notification_run');

-- To whom a run has gone: each is told once.
create table notification_sent (
  tenant_id uuid not null,
  run_id    uuid not null,
  kind      text not null,
  recipient text not null,
  at        timestamptz not null,
  count     integer not null default 0,
  outcome   integer not null default 0,
  mail_id   uuid,
  primary key (tenant_id, run_id, kind, recipient),
  foreign key (tenant_id, run_id) references notification_run (tenant_id, id) on delete cascade
);
call wall('notification_sent');

-- Which records a notification has told of, and whether they matched when it last asked.
create table notification_seen (
  tenant_id       uuid not null,
  notification_id uuid not null,
  item_id         uuid not null,
  told_at         timestamptz,
  matching        boolean not null default true,
  primary key (tenant_id, notification_id, item_id),
  foreign key (tenant_id, notification_id) references notification (tenant_id, id)
);
call wall('notification_seen');

-- Who wants no more of a notification, by address.
create table notification_refusal (
  tenant_id       uuid not null,
  notification_id uuid not null,
  address         text not null,
  at              timestamptz not null,
  primary key (tenant_id, notification_id, address),
  foreign key (tenant_id, notification_id) references notification (tenant_id, id)
);
call wall('notification_refusal');

-- What a mail brings along that is kept nowhere else: a table of records, say.
alter table outbound_mail add column attachments jsonb not null default '[]';
