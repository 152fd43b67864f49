-- The event of a new item does not repeat a long description: it has `{}` in its place, and who reads it gets the text from the item, or from its
-- first change. Events from before have their texts.

-- The description that an item was created with: what the first change replaced, or what it still has. Versions order the changes of an item;
-- the numbers of transactions need not.
create function first_description(of_tenant uuid, of_item uuid) returns text language sql stable parallel safe as $$
  select coalesce(
    (select e.changes -> 'description' ->> 'from' from event e
      where e.tenant_id = of_tenant and e.record_id = of_item and e.entity = 'Item' and e.changes -> 'description' ? 'from'
        and not exists (select 1 from item i where i.tenant_id = of_tenant and i.id = of_item and i.version = 1)
      order by e.version limit 1),
    (select i.description from item i where i.tenant_id = of_tenant and i.id = of_item), '') $$;

-- The changes of an event with all texts. PostgreSQL writes this condition into the statement, so that other events cost nothing.
create function changes_of(e event) returns jsonb language sql stable parallel safe as $$
  select case when e.kind = 'item.created' and e.changes -> 'description' = '{}'
    then jsonb_set(e.changes, '{description,to}', to_jsonb(first_description(e.tenant_id, e.record_id))) else e.changes end $$;

-- The dispatcher asks about the events of all tenants.
grant select (cause, version) on event to gantry_door;
grant select (id, description, version) on item to gantry_door;

-- An item that is deleted for good leaves its description to its event.
create function leave_description() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update event e set changes = changes_of(e)
  where e.tenant_id = old.tenant_id and e.record_id = old.id and e.kind = 'item.created' and e.changes -> 'description' = '{}';
  return old;
end $$;
revoke all on function leave_description from public;
create trigger item_leaves_description before delete on item for each row when (old.description <> '') execute function leave_description();

-- The chain of hashes is over the whole texts, as before.
create or replace function event_digest(e event) returns bytea language sql stable as
$$ select substring(sha256(convert_to(jsonb_build_array('event', e.xact::text, e.id, (extract(epoch from e.at) * 1000000)::bigint, e.kind, e.entity,
  e.record_id, e.actor_id, e.actor_kind, e.change_set_id, changes_of(e), e.cause)::text, 'UTF8')) for 16) $$;

-- A person is removed from these texts, too, which the event then has itself.
create or replace function forget_in_events(person uuid) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  alias text;
  names text[];
  addresses text[];
  records uuid[];
  lone text[];
begin
  select u.name into alias from "user" u where u.tenant_id = current_tenant() and u.id = person and u.anonymised;
  if alias is null then
    raise exception 'nobody is forgotten who was not anonymised';
  end if;
  select coalesce(array_agg(distinct s.value) filter (where c.key = 'name'), '{}'),
      coalesce(array_agg(distinct lower(btrim(s.value))) filter (where c.key = 'email' and s.value like '%@%'), '{}')
    into names, addresses
    from event e cross join jsonb_each(e.changes) c cross join jsonb_each_text(c.value) s
    where e.tenant_id = current_tenant() and e.record_id = person and e.entity = 'User' and c.key in ('name', 'email') and s.value <> '';
  records := array(select k.id from api_key k where k.tenant_id = current_tenant() and k.owner_user_id = person)
    || array(select i.id from user_identity i where i.tenant_id = current_tenant() and i.user_id = person) || person;
  -- The person's own record, its keys and its identities.
  update event e set changes = (
    select coalesce(jsonb_object_agg(c.key, case
      when e.entity = 'User' and c.key = 'name' then (select coalesce(jsonb_object_agg(s.key, alias), '{}') from jsonb_each(c.value) s)
      when c.key in ('name', 'initials', 'email', 'login', 'phone', 'externalId', 'avatarFileId', 'subject')
        then (select coalesce(jsonb_object_agg(s.key, ''::text), '{}') from jsonb_each(c.value) s)
      when c.key in ('skills', 'absence') then (select coalesce(jsonb_object_agg(s.key, '[]'::jsonb), '{}') from jsonb_each(c.value) s)
      else c.value end), '{}')
    from jsonb_each(e.changes) c)
  where e.tenant_id = current_tenant() and e.record_id = any (records) and e.entity in ('User', 'ApiKey', 'UserIdentity');
  -- What they wrote under their own name.
  update event e set changes = jsonb_set(e.changes, '{author}', (
    select coalesce(jsonb_object_agg(s.key, case when s.value #>> '{}' = any (names) then to_jsonb(alias) else s.value end), '{}')
    from jsonb_each(e.changes -> 'author') s))
  where e.tenant_id = current_tenant() and e.entity = 'Document' and e.changes ? 'author'
    and e.record_id in (select d.id from document d where d.tenant_id = current_tenant() and d.created_by = person);
  -- Descriptions that new items had, before the changes that replaced them lose the address: what the event says stays the same by this.
  update event e set changes = changes_of(e)
  where e.tenant_id = current_tenant() and e.kind = 'item.created' and e.changes -> 'description' = '{}'
    and exists (select 1 from unnest(addresses) a where position(a in lower(changes_of(e)::text)) > 0);
  -- Whatever else told their address, or their name beside their id.
  update event e set changes = without_person(e.changes, person, addresses, alias)
  where e.tenant_id = current_tenant()
    and (e.entity = 'Ticket' and position(person::text in e.changes::text) > 0
      or exists (select 1 from unnest(addresses) a where position(a in lower(e.changes::text)) > 0));
  lone := unshared_names(person, names);
  -- Their name alone, as the author of other people's documents and in the metadata of items.
  update event e set changes = (
    select coalesce(jsonb_object_agg(c.key, case when c.key in ('author', 'Meta') then without_name(c.value, lone, alias)
      else c.value end), '{}') from jsonb_each(e.changes) c)
  where e.tenant_id = current_tenant() and (e.entity = 'Document' and e.changes ? 'author' or e.entity = 'Item' and e.changes ? 'Meta')
    and exists (select 1 from unnest(lone) n where position(n in lower(e.changes::text)) > 0);
end $$;
