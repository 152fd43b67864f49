-- A name alone names a person where it is a whole value: the author of a document, or a value in the metadata of an item. A name
-- that somebody else in the tenant has stays there, because it may mean them.

create function unshared_names(person uuid, names text[]) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct lower(btrim(n))), '{}') from unnest(names) n
  where btrim(n) <> '' and not exists (
    select 1 from "user" u where u.tenant_id = current_tenant() and u.id <> person and not u.anonymised and lower(btrim(u.name)) = lower(btrim(n))) $$;

-- Replaces the texts that are one of these names, in lower case, at any depth.
create function without_name(value jsonb, names text[], alias text) returns jsonb language plpgsql immutable parallel safe as $$
begin
  case jsonb_typeof(value)
    when 'string' then return case when lower(btrim(value #>> '{}')) = any (names) then to_jsonb(alias) else value end;
    when 'array' then return (select coalesce(jsonb_agg(without_name(e.value, names, alias) order by e.n), '[]')
      from jsonb_array_elements(value) with ordinality e(value, n));
    when 'object' then return (select coalesce(jsonb_object_agg(e.key, without_name(e.value, names, alias)), '{}') from jsonb_each(value) e);
    else return value;
  end case;
end $$;

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
