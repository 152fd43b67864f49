-- People: what they can do when, what they cost, who was invited, who is in which group; and how somebody is forgotten.

alter table "user"
  add column login              text not null default '',
  add column avatar_file_id     uuid,
  add column manager_id         uuid,
  add column crm_id             uuid,
  add column skills             text[] not null default '{}',
  add column capacity           jsonb not null default '[]',
  add column absence            jsonb not null default '[]',
  add column invited_at         timestamptz,
  add column anonymised         boolean not null default false,
  -- Shown to some only, and so never part of what everybody reads.
  add column rates              jsonb not null default '[]',
  -- What is kept of an invitation: the digest of its token, and how long it holds.
  add column invitation         bytea,
  add column invitation_expires timestamptz;
create unique index user_login_taken on "user" (tenant_id, lower(login)) where login <> '' and not deleted;
create index user_by_invitation on "user" (invitation) where invitation is not null;
create index user_of_manager on "user" (tenant_id, manager_id) where manager_id is not null;
-- Whoever accepts an invitation is known by it alone.
grant select (invitation, invitation_expires) on "user" to gantry_door;

alter table user_group
  add column clock_id   uuid,
  add column mailbox_id uuid;

-- Who is in which group, once more: the list on the group itself has no index that could be used behind the wall.
create table user_group_member (
  tenant_id uuid not null,
  user_id   uuid not null,
  group_id  uuid not null,
  primary key (tenant_id, user_id, group_id)
);
alter table user_group no force row level security;
insert into user_group_member (tenant_id, user_id, group_id)
  select distinct tenant_id, unnest(members), id from user_group where not deleted;
alter table user_group_member add foreign key (tenant_id, group_id) references user_group (tenant_id, id) on delete cascade;
alter table user_group force row level security;
create index user_group_member_of_group on user_group_member (tenant_id, group_id, user_id);
call wall('user_group_member');

-- Kept by a trigger, because people come into a group and leave it on many ways.
create function note_members() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from user_group_member where tenant_id = new.tenant_id and group_id = new.id
      and (new.deleted or user_id <> all (new.members));
  end if;
  if not new.deleted then
    insert into user_group_member (tenant_id, user_id, group_id)
      select new.tenant_id, unnest(new.members), new.id on conflict do nothing;
  end if;
  return null;
end $$;
create trigger group_made_with_members after insert on user_group for each row when (new.members <> '{}') execute function note_members();
create trigger group_changes_members after update of members, deleted on user_group for each row
  when (new.members is distinct from old.members or new.deleted is distinct from old.deleted) execute function note_members();

-- A text without these addresses. What goes before and after one must not belong to it: bob@x.de is not in jobob@x.de.
create function without_address(value text, addresses text[]) returns text language plpgsql immutable parallel safe as $$
declare address text; pattern text;
begin
  foreach address in array addresses loop
    if position(address in lower(value)) > 0 then
      pattern := regexp_replace(address, '([^[:alnum:]])', '\\\1', 'g');
      -- As mail writes it: "Ada Lovelace" <ada@example.com>.
      value := regexp_replace(value, '("[^"]*"|[^",;:<>]*)\s*<\s*' || pattern || '\s*>', '', 'gi');
      value := regexp_replace(value, '(?<![[:alnum:]._%+-])' || pattern || '(?![[:alnum:]-]|\.[[:alnum:]])', '', 'gi');
    end if;
  end loop;
  return value;
end $$;

-- A value without a person: their addresses go, and where one stood beside a name or a phone (or their id did), those go too.
create function without_person(value jsonb, person uuid, addresses text[], alias text) returns jsonb language plpgsql immutable parallel safe as $$
declare about boolean; shorn text;
begin
  case jsonb_typeof(value)
    when 'string' then
      shorn := without_address(value #>> '{}', addresses);
      return to_jsonb(shorn);
    when 'array' then
      -- An address that was an entry by itself leaves no empty one behind.
      return (select coalesce(jsonb_agg(w.kept order by w.n), '[]') from (
        select without_person(e.value, person, addresses, alias) as kept, e.value, e.n from jsonb_array_elements(value) with ordinality e(value, n)) w
        where w.kept <> '""'::jsonb or w.value = '""'::jsonb);
    when 'object' then
      about := value ->> 'userId' = person::text or exists (
        select 1 from jsonb_each_text(value) e where e.key in ('email', 'mail', 'address') and lower(btrim(e.value)) = any (addresses));
      return (select coalesce(jsonb_object_agg(e.key, case
          when about and e.key = 'name' and e.value not in ('""'::jsonb, 'null'::jsonb) then to_jsonb(alias)
          when about and e.key in ('email', 'mail', 'address', 'phone') and jsonb_typeof(e.value) = 'string' then '""'::jsonb
          else without_person(e.value, person, addresses, alias) end), '{}')
        from jsonb_each(value) e);
    else return value;
  end case;
end $$;

-- The log is written and never changed, but for this: somebody has the right to be forgotten. What happened stays, and who
-- it was goes. It runs as the owner of the log, so it takes nobody's word for anything: one person of the tenant that is
-- spoken for, who was anonymised before; their names and addresses are those that their own events tell.
create function forget_in_log(person uuid) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  alias text;
  names text[];
  addresses text[];
  records uuid[];
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
end $$;
revoke all on function forget_in_log from public;
grant execute on function forget_in_log to gantry_app;
