-- Moves of all files of a tenant to one storage. One runs at a time.

create table storage_migration (
  like record including all,
  storage_id  uuid not null,
  state       integer not null default 0,
  checkpoint  text not null default '',
  files       integer not null default 0,
  bytes       bigint not null default 0,
  error       text not null default '',
  finished_at timestamptz
);
call records('storage_migration');
create unique index storage_migration_state_taken on storage_migration (tenant_id) where state = 0 and not deleted;
