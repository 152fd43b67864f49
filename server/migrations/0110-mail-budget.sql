-- The most notification mails that a user wants on a day; null is the limit of the tenant.
alter table notification_preference add column mails_per_day integer;

-- How many notification mails a user got on a day of their time zone, and how many messages were held beyond the limit.
create table mail_day (
  tenant_id  uuid not null,
  user_id    uuid not null,
  day        date not null,
  sent       integer not null default 0,
  held       integer not null default 0,
  -- When the digest of what was held is due; null if nothing waits.
  digest_due timestamptz,
  primary key (tenant_id, user_id, day)
);
call wall('mail_day');
create index mail_day_age on mail_day (tenant_id, day);

-- Mails of rules and notifications that wait for the next digest of their reader.
create table held_message (
  tenant_id   uuid not null,
  id          uuid not null,
  user_id     uuid not null,
  at          timestamptz not null,
  source_kind text not null,
  source_id   uuid not null,
  item_ids    uuid[] not null default '{}',
  -- Whether the reader saw the item when the message was held: then they must still see it when it is sent.
  seen        boolean not null default false,
  -- Whether a notification is written as its creator gets it, because an address and not a user receives it.
  as_creator  boolean not null default false,
  subject     text not null default '',
  body        text not null default '',
  primary key (tenant_id, id)
);
call wall('held_message');
create index held_message_of_user on held_message (tenant_id, user_id, id);

-- Whether the mail about an entry is sent whatever the limit.
alter table inbox_entry add column mail_urgent boolean not null default false;
