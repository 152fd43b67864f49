-- Who really wrote a mail, how mailboxes sign in by OAuth 2.0, and how what leaves is signed.

alter table mail_general
  add column spoof_policy integer not null default 0,
  add column demand_proof boolean not null default false;

alter table mailbox
  add column trusted_auth_hosts text[] not null default '{}',
  add column spam_headers       boolean not null default false,
  add column oauth              jsonb not null default '{}',
  add column client_secret      text not null default '',
  add column refresh_token      text not null default '',
  add column dkim               jsonb not null default '{}',
  add column dkim_key           text not null default '';

alter table mail_message
  add column authenticity jsonb not null default '{}';
-- What became of the last mail of a sender.
create index mail_message_of_sender on mail_message (tenant_id, sender, created) where item_id is not null;
