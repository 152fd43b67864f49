-- Stores of a tenant's own for the bytes of its files.

create table outbound_storage (
  like record including all,
  name       text not null,
  kind       integer not null default 0,
  endpoint   text not null default '',
  region     text not null default '',
  bucket     text not null default '',
  prefix     text not null default '',
  access_key text not null default '',
  secret_key text not null default '',
  encryption integer not null default 0,
  active     boolean not null default true,
  "default"  boolean not null default false
);
call records('outbound_storage');
create unique index outbound_storage_default_taken on outbound_storage (tenant_id) where "default" and not deleted;

-- How a store answered last. It is no part of the record, so that a busy store neither changes its version nor fills the log.
create table outbound_storage_state (
  tenant_id  uuid not null,
  storage_id uuid not null,
  last_ok    timestamptz,
  last_error text not null default '',
  failed_at  timestamptz,
  primary key (tenant_id, storage_id),
  foreign key (tenant_id, storage_id) references outbound_storage (tenant_id, id)
);
call wall('outbound_storage_state');

-- Where bytes are that are not only on the disk of the service: a row for each hash. Without a row they are on the disk, and so
-- is what has no id here (`storage_id`, `former_id`).
create table stored_bytes (
  tenant_id    uuid not null,
  hash         text not null,
  storage_id   uuid,
  -- The place that they were moved from, where they stay for some days.
  former_id    uuid,
  former_until timestamptz,
  -- The place that they are being moved to.
  target_id    uuid,
  -- What is under way: 0 nothing, 1 they are moved, 2 the copy at the former place is removed, 3 all copies are.
  work         integer not null default 0,
  since        timestamptz,
  primary key (tenant_id, hash)
);
call wall('stored_bytes');
create index stored_bytes_at_storage on stored_bytes (tenant_id, storage_id) where storage_id is not null;
create index stored_bytes_at_former on stored_bytes (tenant_id, former_id) where former_id is not null;
create index stored_bytes_at_target on stored_bytes (tenant_id, target_id) where target_id is not null;
create index stored_bytes_former on stored_bytes (tenant_id, former_until) where former_until is not null;
create index stored_bytes_work on stored_bytes (tenant_id, since) where work <> 0;
