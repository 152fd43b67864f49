-- Mail: the mailboxes of a tenant, what came in through them, and what goes out.

alter table mail_general
  add column max_message_bytes        integer not null default 0,
  add column allowed_attachment_types text[] not null default '{}',
  add column default_from             text not null default '',
  add column reply_marker             text not null default '',
  add column auto_reply_policy        integer not null default 0,
  add column auto_reply_minutes       integer not null default 60,
  add column loop_quotas              jsonb not null default '[]',
  add column trusted_senders          text[] not null default '{}',
  add column bounce_suppress_days     integer not null default 60,
  add column follow_up_days           integer not null default 0,
  add column html_policy              integer not null default 0,
  add column track_opens              boolean not null default false;

create table mailbox (
  like record including all,
  name             text not null,
  address          text not null,
  aliases          text[] not null default '{}',
  protocol         integer not null default 0,
  auth             text not null default 'password',
  imap             jsonb not null default '{}',
  smtp             jsonb not null default '{}',
  password         text not null default '',
  smtp_password    text not null default '',
  container_id     uuid,
  process_id       uuid,
  group_id         uuid,
  defaults         jsonb not null default '{}',
  template_id      uuid,
  signature        text not null default '',
  delete_after_fetch boolean not null default false,
  move_to          text not null default '',
  archive_import   jsonb not null default '{}',
  active           boolean not null default false
);
call records('mailbox');
create unique index mailbox_address_taken on mailbox (tenant_id, lower(address)) where not deleted;

-- How far a mailbox is read, and who reads it: one process of all at a time, for as long as its lease lasts.
create table mailbox_state (
  tenant_id    uuid not null,
  mailbox_id   uuid not null,
  uid_validity bigint,
  last_uid     bigint not null default 0,
  last_fetch   timestamptz,
  last_error   text not null default '',
  backlog      integer not null default 0,
  lease        uuid,
  leased_until timestamptz,
  next_try     timestamptz,
  failures     integer not null default 0,
  primary key (tenant_id, mailbox_id),
  foreign key (tenant_id, mailbox_id) references mailbox (tenant_id, id)
);
call wall('mailbox_state');

-- What came in. A row is written before the server is told that the message was taken, and settled in the same
-- transaction as whatever becomes of it.
create table mail_message (
  like record including all,
  mailbox_id    uuid not null,
  message_id    text not null default '',
  sender        text not null default '',
  subject       text not null default '',
  size          integer not null default 0,
  outcome       integer not null default 0,
  reason        text not null default '',
  steps         jsonb not null default '[]',
  item_id       uuid,
  annotation_id uuid,
  attempts      integer not null default 0,
  -- Where the bytes are, and where they came from.
  sha256        text not null,
  uid_validity  bigint,
  uid           bigint,
  filed         boolean not null default true,
  archived      boolean not null default false,
  released      boolean not null default false,
  foreign key (tenant_id, mailbox_id) references mailbox (tenant_id, id)
);
call records('mail_message');
create unique index mail_message_uid_taken on mail_message (tenant_id, mailbox_id, uid_validity, uid) where uid is not null;
create index mail_message_known on mail_message (tenant_id, message_id) where message_id <> '';
create index mail_message_bytes on mail_message (tenant_id, sha256) where sha256 <> '';
create index mail_message_of_item on mail_message (tenant_id, item_id) where item_id is not null;
create index mail_message_of_annotation on mail_message (tenant_id, annotation_id) where annotation_id is not null;
create index mail_message_unfiled on mail_message (tenant_id, mailbox_id) where not filed;
create index mail_message_age on mail_message (tenant_id, created) where outcome in (3, 4) and sha256 <> '';

-- What goes out: written along with what wants it, sent after that is committed.
create table outbound_mail (
  like record including all,
  "to"          text[] not null default '{}',
  cc            text[] not null default '{}',
  "from"        text not null default '',
  subject       text not null default '',
  template_id   uuid,
  item_id       uuid,
  annotation_id uuid,
  mailbox_id    uuid,
  purpose       integer not null default 0,
  auto          boolean not null default false,
  state         integer not null default 0,
  attempts      integer not null default 0,
  next_attempt  timestamptz,
  last_error    text not null default '',
  message_id    text not null default '',
  change_set_id text not null default '',
  sent_at       timestamptz,
  -- What is said, where it is not what an annotation says; and what the mail answers.
  body_text     text not null default '',
  body_html     text not null default '',
  in_reply_to   text not null default '',
  list          jsonb not null default '{}',
  undelivered   text[] not null default '{}'
);
call records('outbound_mail');
-- What is said to the outside about an annotation is said once.
create unique index outbound_mail_annotation_taken on outbound_mail (tenant_id, annotation_id, purpose) where annotation_id is not null;
create index outbound_mail_waiting on outbound_mail (tenant_id, next_attempt) where state in (0, 2);
create index outbound_mail_known on outbound_mail (tenant_id, message_id);
create index outbound_mail_of_item on outbound_mail (tenant_id, item_id, created) where item_id is not null;
create index outbound_mail_auto on outbound_mail (tenant_id, created) where auto;

-- Where nothing is sent by itself any more, because it came back.
create table mail_suppression (
  like record including all,
  address          text not null,
  reason           text not null default '',
  until            timestamptz,
  outbound_mail_id uuid
);
call records('mail_suppression');
create unique index mail_suppression_address_taken on mail_suppression (tenant_id, lower(address)) where not deleted;

-- By which unguessable word of an address or a subject a mail is known to belong to an item.
create table mail_thread (
  tenant_id uuid not null,
  item_id   uuid not null,
  token     text not null,
  primary key (tenant_id, item_id),
  foreign key (tenant_id, item_id) references item (tenant_id, id)
);
call wall('mail_thread');
create unique index mail_thread_token_taken on mail_thread (tenant_id, token);

-- When somebody was last answered by itself.
create table mail_auto_reply (
  tenant_id uuid not null,
  address   text not null,
  at        timestamptz not null,
  primary key (tenant_id, address)
);
call wall('mail_auto_reply');

-- Which mailboxes nobody reads at this moment is looked for across tenants, by the role that can do nothing else; they are
-- read inside of one tenant.
grant select (tenant_id, id, protocol, active, deleted) on mailbox to gantry_door;
grant select (tenant_id, mailbox_id, leased_until, next_try) on mailbox_state to gantry_door;
create policy door on mailbox for select to gantry_door using (true);
create policy door on mailbox_state for select to gantry_door using (true);
create index mailbox_read on mailbox (id) where active and not deleted and protocol = 0;

-- A ticket's mailbox was any text while there were none.
alter table ticket alter column mailbox_id drop default, alter column mailbox_id drop not null,
  alter column mailbox_id type uuid using case when mailbox_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then mailbox_id::uuid end;
