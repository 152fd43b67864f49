-- The log is chained: a recurring job seals events and audit entries in the order of the log, in batches. Writers do not wait
-- for it, because rows are sealed after they are committed and settled. A seal holds the digest of each of its rows and a hash
-- over them and the seal before; the end of the chain is sealed with the master key, which is not in the database.

-- What a row says, in 16 bytes.
create function event_digest(e event) returns bytea language sql stable as
$$ select substring(sha256(convert_to(jsonb_build_array('event', e.xact::text, e.id, (extract(epoch from e.at) * 1000000)::bigint, e.kind, e.entity,
  e.record_id, e.actor_id, e.actor_kind, e.change_set_id, e.changes, e.cause)::text, 'UTF8')) for 16) $$;

create function audit_digest(a audit_entry) returns bytea language sql stable as
$$ select substring(sha256(convert_to(jsonb_build_array('audit', a.xact::text, a.id, (extract(epoch from a.created) * 1000000)::bigint, a.created_by,
  a.deleted, a.action, a.outcome, a.reason, a.user_id, a.address, a.credential, a.credential_id, a.client, a.record_kind, a.record_id,
  a.change_set_id)::text, 'UTF8')) for 16) $$;

-- An anonymised user is removed from events that are sealed already. What each of them said before and after is noted, as digests,
-- and the notes are sealed like events: so a change of the log that is none of these shows.
create table event_rewrite (
  tenant_id uuid not null,
  xact      xid8 not null default log_number(),
  id        uuid not null default gen_random_uuid(),
  at        timestamptz not null default now(),
  event_id  uuid not null,
  was       bytea not null,
  becomes   bytea not null,
  primary key (tenant_id, xact, id)
);
create index event_rewrite_of_event on event_rewrite (tenant_id, event_id);
call wall('event_rewrite');
revoke insert, update, delete on event_rewrite from gantry_app;

create function rewrite_digest(r event_rewrite) returns bytea language sql stable as
$$ select substring(sha256(convert_to(jsonb_build_array('rewrite', r.xact::text, r.id, r.event_id, encode(r.was, 'hex'), encode(r.becomes, 'hex'))::text,
  'UTF8')) for 16) $$;

create function note_rewrite() returns trigger language plpgsql as $$
begin
  insert into event_rewrite (tenant_id, event_id, was, becomes) values (new.tenant_id, new.id, event_digest(old), event_digest(new));
  return null;
end $$;
create trigger event_rewritten after update on event for each row
  when (current_setting('app.forgetting', true) = 'on' and old.* is distinct from new.*) execute function note_rewrite();
-- A setting of the function itself could only be given by a superuser, whom an external database need not have.
alter function forget_in_log(uuid) rename to forget_in_events;
alter function forget_in_events(uuid) security invoker;
revoke all on function forget_in_events from gantry_app;
create function forget_in_log(person uuid) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform set_config('app.forgetting', 'on', true);
  perform forget_in_events(person);
  perform set_config('app.forgetting', '', true);
end $$;
revoke all on function forget_in_log from public;
grant execute on function forget_in_log to gantry_app;

-- Everything that is chained, in one order.
create view log_row with (security_invoker = true) as
  select e.tenant_id, e.xact, e.id, e.at, e.kind, event_digest(e) as digest from event e
  union all select a.tenant_id, a.xact, a.id, a.created, 'audit ' || a.action, audit_digest(a) from audit_entry a
  union all select r.tenant_id, r.xact, r.id, r.at, 'event rewritten', rewrite_digest(r) from event_rewrite r;
grant select on log_row to gantry_app;

create table audit_seal (
  tenant_id uuid not null,
  n         bigint not null,
  at        timestamptz not null,
  -- The last row of the batch.
  xact      xid8 not null,
  id        uuid not null,
  rows      integer not null,
  digests   bytea not null,
  hash      bytea not null,
  primary key (tenant_id, n)
);
alter table audit_seal alter column digests set storage external;
call wall('audit_seal');
revoke update, delete on audit_seal from gantry_app;

-- The end of each chain: where the next batch begins, and the sealed text that says which seal is the last.
create table audit_chain (
  tenant_id uuid primary key,
  xact      xid8 not null,
  id        uuid not null,
  head      text not null
);
call wall('audit_chain');
revoke delete on audit_chain from gantry_app;

-- To find the tenants with new entries without a query for each.
create index audit_entry_of_all on audit_entry (xact);
grant select (tenant_id, xact) on audit_entry to gantry_door;
create policy door on audit_entry for select to gantry_door using (true);
