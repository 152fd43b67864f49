-- Uploads in several requests (tus). The bytes that were acknowledged are files on the disk, of which each part is one.
create table file_upload (
  tenant_id  uuid not null,
  id         uuid not null,
  user_id    uuid not null,
  metadata   text not null,
  length     bigint not null check (length >= 0),
  received   bigint not null default 0 check (received between 0 and length),
  finished   boolean not null default false,
  expires_at timestamptz not null,
  primary key (tenant_id, id)
);
create index file_upload_user on file_upload (tenant_id, user_id);
call wall('file_upload');

create table file_upload_part (
  tenant_id uuid not null,
  upload_id uuid not null,
  start     bigint not null,
  id        uuid not null,
  primary key (tenant_id, upload_id, start),
  foreign key (tenant_id, upload_id) references file_upload (tenant_id, id) on delete cascade
);
call wall('file_upload_part');
