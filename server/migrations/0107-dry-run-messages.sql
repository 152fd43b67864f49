-- The messages that a tried rule would have sent: all, and by user.
alter table rule_dry_run add column messages integer not null default 0;
alter table rule_dry_run add column message_people jsonb not null default '{}';
