-- Who is told, and that nobody is told too much.

-- What people were warned of: one trouble of one record is one warning.
create table warning (
  tenant_id uuid not null,
  entity    text not null,
  record_id uuid not null,
  trouble   text not null,
  -- When the trouble began that they were warned of: a later one is another.
  since     timestamptz not null,
  at        timestamptz not null,
  primary key (tenant_id, entity, record_id, trouble)
);
call wall('warning');

-- What an address that watches is to be told, by ids alone: what it says is read when the mail is written.
create table watch_news (
  tenant_id     uuid not null,
  watch_id      uuid not null,
  event_id      uuid not null,
  item_id       uuid not null,
  -- What was said; none is a change of the status.
  annotation_id uuid,
  actor_id      uuid,
  at            timestamptz not null,
  primary key (tenant_id, watch_id, event_id)
);
call wall('watch_news');

-- Where mail to strangers may go, and how much of it went.
alter table mail_general add column mail_recipient_domains text[] not null default '{}';
alter table outbound_mail add column strangers integer not null default 0;
create index outbound_mail_strangers on outbound_mail (tenant_id, created) where strangers > 0;

-- As which version a record was known when a notification last asked: what has another by now was changed.
alter table notification_seen add column version integer not null default 0;
