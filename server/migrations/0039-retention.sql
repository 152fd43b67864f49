-- Retention deletes for good what a tenant keeps for a limited time, and a closed tenant is erased after its grace.

-- Deletes records with everything that refers to them by a foreign key, which is what belongs to them.
create procedure purge(kind regclass, gone uuid[]) language plpgsql as $$
declare
  child record;
  below uuid[];
begin
  if cardinality(gone) = 0 then return; end if;
  for child in
    select r.conrelid::regclass as kind, a.attname as reference,
      exists (select 1 from pg_attribute i where i.attrelid = r.conrelid and i.attname = 'id' and not i.attisdropped) as has_id
    from pg_constraint r join pg_attribute a on a.attrelid = r.conrelid and a.attnum = r.conkey[2]
    where r.contype = 'f' and r.confrelid = kind
  loop
    if child.has_id and child.reference <> 'id' then
      execute format('select coalesce(array_agg(id), ''{}'') from %s where tenant_id = current_tenant() and %I = any ($1) and id <> all ($1)',
        child.kind, child.reference) into below using gone;
      call purge(child.kind, below);
    else
      execute format('delete from %s where tenant_id = current_tenant() and %I = any ($1)', child.kind, child.reference) using gone;
    end if;
  end loop;
  execute format('delete from %s where tenant_id = current_tenant() and id = any ($1)', kind) using gone;
end $$;

-- The log is deleted only here, by the days that the tenant itself has set, and up to the place that its chain allows.
create function forget_log(last_xact xid8, last_id uuid, most integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  days integer;
  before timestamptz;
  deleted integer;
  total integer := 0;
begin
  select (t.retention ->> 'eventDays')::integer into days from tenant t where t.tenant_id = current_tenant() and t.id = current_tenant();
  if coalesce(days, 0) = 0 then
    raise exception 'the log of this tenant is kept without a limit';
  end if;
  before := now() - make_interval(days => days);
  delete from event where tenant_id = current_tenant() and (xact, id) in (
    select e.xact, e.id from event e where e.tenant_id = current_tenant() and (e.xact, e.id) <= (last_xact, last_id) and e.at < before
    order by e.xact, e.id limit most);
  get diagnostics deleted = row_count;
  total := total + deleted;
  delete from audit_entry where tenant_id = current_tenant() and (xact, id) in (
    select a.xact, a.id from audit_entry a where a.tenant_id = current_tenant() and (a.xact, a.id) <= (last_xact, last_id) and a.created < before
    order by a.xact, a.id limit most);
  get diagnostics deleted = row_count;
  total := total + deleted;
  delete from event_rewrite where tenant_id = current_tenant() and (xact, id) in (
    select r.xact, r.id from event_rewrite r where r.tenant_id = current_tenant() and (r.xact, r.id) <= (last_xact, last_id) and r.at < before
    order by r.xact, r.id limit most);
  get diagnostics deleted = row_count;
  return total + deleted;
end $$;
revoke all on function forget_log from public;
grant execute on function forget_log to gantry_app;

-- What is left of an erased tenant: the certificate. It belongs to no tenant, because its tenant is gone.
create table tenant_erasure (
  id     uuid primary key,
  name   text not null,
  slug   text not null,
  closed timestamptz not null,
  begun  timestamptz not null default now(),
  erased timestamptz,
  rows   jsonb not null default '{}',
  files  integer not null default 0,
  -- The operating tenants have it in their logs.
  reported boolean not null default false
);
grant select, update on tenant_erasure to gantry_door;
grant select (updated, operating) on tenant to gantry_door;

-- Deletes a part of what a closed tenant has, and counts it in the certificate. It runs as the owner, so it takes nobody's word:
-- the tenant must be closing, and must have been so since the given time. Returns the number of rows; when it is 0, nothing is left.
create function erase_tenant(gone uuid, closed_before timestamptz, files_gone integer, most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  subject tenant%rowtype;
  part record;
  deleted bigint;
  total bigint := 0;
  blocked text[] := '{}';
begin
  perform set_config('app.tenant', gone::text, true);
  select * into subject from tenant where tenant_id = gone and id = gone for update;
  if not found then return 0; end if;
  if subject.status <> 2 or subject.updated >= closed_before then
    raise exception 'only a tenant whose grace is over is erased';
  end if;
  insert into tenant_erasure (id, name, slug, closed) values (gone, subject.name, subject.slug, subject.updated) on conflict do nothing;
  update tenant_erasure set files = files + files_gone where id = gone;
  for part in
    select c.oid::regclass as kind, c.relname as name,
      exists (select 1 from pg_constraint r where r.contype = 'f' and r.conrelid = c.oid and r.confrelid = c.oid) as refers_to_itself
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not in ('record', 'tenant')
      and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped)
    order by c.relname
  loop
    -- Rows that others refer to are deleted in a later call, after those. Rows of a table that refers to itself go all at once.
    begin
      execute format('delete from %1$s where ctid = any (array(select ctid from %1$s where tenant_id = $1 limit $2))', part.kind)
        using gone, case when not part.refers_to_itself then most end;
      get diagnostics deleted = row_count;
      total := total + deleted;
      if deleted > 0 then
        update tenant_erasure set rows = jsonb_set(rows, array[part.name], to_jsonb(coalesce((rows ->> part.name)::bigint, 0) + deleted)) where id = gone;
      end if;
    exception when foreign_key_violation then blocked := blocked || part.name;
    end;
  end loop;
  if total = 0 then
    if cardinality(blocked) > 0 then
      raise exception 'rows of % refer to each other', blocked;
    end if;
    delete from tenant where tenant_id = gone;
    update tenant_erasure set erased = now() where id = gone;
  end if;
  return total;
end $$;
revoke all on function erase_tenant from public;
grant execute on function erase_tenant to gantry_door;
