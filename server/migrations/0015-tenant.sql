-- What a tenant says of itself, what the operator says of it, and what it uses up.

alter table tenant
  add column week_start       text not null default '',
  add column default_clock_id uuid,
  add column branding         jsonb not null default '{}',
  add column domains          text[] not null default '{}',
  add column features         text[] not null default '{}',
  add column region           text not null default '',
  add column retention        jsonb not null default '{}',
  add column quotas           jsonb not null default '{}',
  -- Its super admins make and close other tenants. No address of the service sets this; a command of the operator does.
  add column operating        boolean not null default false;

-- Operators list tenants by these, and by nothing that lies inside of one.
grant select (created, updated, region, quotas, operating, version) on tenant to gantry_door;
-- A tenant that is closing lets in nobody but its super admins.
grant select (super_admin) on "user" to gantry_door;

-- How many bytes the files of a tenant hold that are not deleted: counted as they come and go, because adding them up
-- takes longer the more there are.
create table tenant_usage (
  tenant_id     uuid primary key,
  storage_bytes bigint not null default 0
);
alter table file no force row level security;
insert into tenant_usage (tenant_id, storage_bytes) select tenant_id, sum(size) from file where not deleted group by tenant_id;
alter table file force row level security;
call wall('tenant_usage');

create function note_storage() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into tenant_usage as u (tenant_id, storage_bytes)
      select tenant_id, sum(size) from new_files where not deleted group by tenant_id
    on conflict (tenant_id) do update set storage_bytes = u.storage_bytes + excluded.storage_bytes;
  end if;
  if tg_op <> 'INSERT' then
    insert into tenant_usage as u (tenant_id, storage_bytes)
      select tenant_id, -sum(size) from old_files where not deleted group by tenant_id
    on conflict (tenant_id) do update set storage_bytes = u.storage_bytes + excluded.storage_bytes;
  end if;
  return null;
end $$;
create trigger storage_grows after insert on file referencing new table as new_files
  for each statement execute function note_storage();
create trigger storage_changes after update on file referencing old table as old_files new table as new_files
  for each statement execute function note_storage();
create trigger storage_shrinks after delete on file referencing old table as old_files
  for each statement execute function note_storage();
