-- Parts of titles and names are found by an index of their triples of characters. Before, the indexes began with the tenant: for each hit its entry was
-- looked for among those of all records of the tenant, so that five thousand hits read all million of them. Now the tenant is a part of each key, and
-- only the entries of the triples are read.

-- What the keys of a tenant, or of a property of its records, begin with. Two tenants with the same end of their ids only share entries.
create function part_scope(tenant uuid) returns text language sql immutable parallel safe as $$ select right(tenant::text, 8) $$;
create function part_scope(tenant uuid, property text) returns text language sql immutable parallel safe as $$
  select right(tenant::text, 8) || property || ':' $$;

-- The triples of a text between two marks, by which its beginning and its end are parts of their own. Of a text that ends, the last ones are shorter, so
-- that each character begins one, and parts of one and two characters are found as their beginnings.
-- Records that are listed by their ids also have the beginning of the id.
create function part_words(scope text, value text, id_start text default '') returns tsvector language plpgsql immutable parallel safe as $$
declare
  marked text := e'\x02' || value || e'\x03';
  words text[] := '{}';
begin
  for i in 1 .. length(marked) loop
    words[i] := scope || substr(marked, i, 3);
  end loop;
  if id_start <> '' then
    words[length(marked) + 1] := scope || e'\x01' || id_start;
  end if;
  return array_to_tsvector(words);
end $$;
-- The query that finds a part; of a long one the first triples suffice.
create function part_query(scope text, asked text) returns tsquery language plpgsql immutable strict parallel safe as $$
declare
  terms text[] := '{}';
begin
  for i in 1 .. greatest(1, least(length(asked) - 2, 40)) loop
    terms[i] := '''' || replace(replace(scope || substr(asked, i, 3), '\', '\\'), '''', '''''') || '''';
  end loop;
  return (array_to_string(terms, ' & ') || case when length(asked) < 3 then ':*' else '' end)::tsquery;
end $$;

-- The titles of items, with what decides who sees them, so that they are counted without a look at the items.
create table item_title (
  tenant_id    uuid not null,
  id           uuid not null,
  container_id uuid not null,
  visibility   integer not null,
  deleted      boolean not null,
  archived     boolean not null,
  title        text not null,
  primary key (tenant_id, id)
);
call wall('item_title');
-- The policy does not bind the owner, whose functions match the rows: under a policy no such index is used.
alter table item_title no force row level security;

create function note_title() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from item_title s where s.tenant_id = old.tenant_id and s.id = old.id;
  elsif tg_op = 'INSERT' then
    insert into item_title values (new.tenant_id, new.id, new.container_id, new.visibility, new.deleted, new.archived, fold(new.title));
  else
    update item_title s set container_id = new.container_id, visibility = new.visibility, deleted = new.deleted, archived = new.archived, title = fold(new.title)
      where s.tenant_id = new.tenant_id and s.id = new.id;
  end if;
  return null;
end $$;
-- First of all, because it waits for the writers of items and keeps new ones out until the titles are here.
create trigger item_has_title after insert or delete on item for each row execute function note_title();
create trigger item_changes_title after update of title, container_id, visibility, deleted, archived on item for each row
  when ((old.title, old.container_id, old.visibility, old.deleted, old.archived) is distinct from (new.title, new.container_id, new.visibility, new.deleted, new.archived))
  execute function note_title();
alter table item no force row level security;
insert into item_title select i.tenant_id, i.id, i.container_id, i.visibility, i.deleted, i.archived, fold(i.title) from item i order by i.tenant_id, i.id;
alter table item force row level security;
create index item_title_parts on item_title using gin (part_words(part_scope(tenant_id), title, left(id::text, 6))) with (gin_pending_list_limit = 512);
create index item_title_start on item_title (tenant_id, (left(title, 24)) text_pattern_ops);

-- The items of the session's tenant whose title has a text at a place. Of its triples the two that the fewest titles have are looked for first, so that
-- the entries of frequent ones are read in few places.
create function title_has(s item_title, first tsquery, second tsquery, whole tsquery, asked text) returns boolean language sql immutable parallel safe as $$
  select part_words(part_scope(s.tenant_id), s.title, left(s.id::text, 6)) @@ first and part_words(part_scope(s.tenant_id), s.title, left(s.id::text, 6)) @@ second
    and part_words(part_scope(s.tenant_id), s.title, left(s.id::text, 6)) @@ whole and strpos(marked_text(s.title, true, true), asked) > 0 $$;
drop function item_title_ids(text, boolean, boolean);
create function item_title_ids(part text, at_start boolean, at_end boolean, rarest text, rare text) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan
  set enable_seqscan = off set enable_indexscan = off set work_mem = '16MB' as $$
declare
  tenant uuid := current_tenant();
  asked text := marked_text(fold(part), at_start, at_end);
  whole tsquery := part_query(part_scope(tenant), asked);
  first tsquery := coalesce(part_query(part_scope(tenant), rarest), whole);
  second tsquery := coalesce(part_query(part_scope(tenant), rare), first);
begin
  return query select s.id from item_title s where s.tenant_id = tenant and title_has(s, first, second, whole, asked);
end $$;
revoke all on function item_title_ids from public;
grant execute on function item_title_ids to gantry_app;

-- Those that come first in the order of the ids, from this one on: this number that are open to somebody for whom these containers are closed, and what is
-- before the last of them. The beginnings of the ids are in the index, too, so that it is asked for few of them first, then for more, and at last for all.
create function item_title_page(part text, at_start boolean, at_end boolean, rarest text, rare text, closed uuid[], visibilities integer[],
  since uuid, descending boolean, most integer) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan
  set enable_seqscan = off set enable_indexscan = off set work_mem = '16MB' as $$
declare
  tenant uuid := current_tenant();
  scope text := part_scope(tenant);
  asked text := marked_text(fold(part), at_start, at_end);
  whole tsquery := part_query(scope, asked);
  first tsquery := coalesce(part_query(scope, rarest), whole);
  second tsquery := coalesce(part_query(scope, rare), first);
  sign integer := case when descending then -1 else 1 end;
  place integer := ('x0' || left(since::text, 5))::bit(24)::integer;
  within tsquery;
  found record;
  count integer := 0;
begin
  if since is null then
    return;
  end if;
  foreach within in array (
    select array_agg(w.starts::tsquery order by w.n) from (
      select p.n, string_agg(format('''%s%s%s'':*', scope, e'\x01', lpad(to_hex(place + sign * i), 5, '0')), ' | ') as starts
      from (values (1, 0, 0), (2, 1, 8), (3, 9, 72)) p(n, since, until), generate_series(p.since, p.until) i
      where place + sign * i between 0 and 1048575 group by p.n) w)
  loop
    for found in select s.id, s.container_id <> all(closed) and s.visibility = any(visibilities) as open from item_title s
      where s.tenant_id = tenant and not s.deleted and not s.archived and part_words(part_scope(s.tenant_id), s.title, left(s.id::text, 6)) @@ within
        and title_has(s, first, second, whole, asked)
    loop
      return next found.id;
      count := count + found.open::integer;
    end loop;
    if count >= most then
      return;
    end if;
  end loop;
  return query select s.id from item_title s where s.tenant_id = tenant and not s.deleted and not s.archived and title_has(s, first, second, whole, asked);
end $$;
revoke all on function item_title_page from public;
grant execute on function item_title_page to gantry_app;

create function item_title_count(part text, at_start boolean, at_end boolean, rarest text, rare text, closed uuid[], visibilities integer[]) returns integer
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan
  set enable_seqscan = off set enable_indexscan = off set work_mem = '16MB' as $$
declare
  tenant uuid := current_tenant();
  asked text := marked_text(fold(part), at_start, at_end);
  whole tsquery := part_query(part_scope(tenant), asked);
  first tsquery := coalesce(part_query(part_scope(tenant), rarest), whole);
  second tsquery := coalesce(part_query(part_scope(tenant), rare), first);
begin
  return (select count(*) from item_title s where s.tenant_id = tenant and not s.deleted and not s.archived and s.visibility = any(visibilities)
    and s.container_id <> all(closed) and title_has(s, first, second, whole, asked));
end $$;
revoke all on function item_title_count from public;
grant execute on function item_title_count to gantry_app;

create or replace function item_title_start_ids(start text, most integer) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  tenant uuid := current_tenant();
  pattern text := regexp_replace(left(fold(start), 24), '([\\%_])', '\\\1', 'g') || '%';
begin
  return query select s.id from item_title s where s.tenant_id = tenant and left(s.title, 24) like pattern limit most;
end $$;

-- The words of items no longer have their titles beside them.
create or replace function index_items(tenant uuid, items uuid[]) returns void language sql as $$
  insert into item_search (tenant_id, id, tsv)
  select i.tenant_id, i.id, search_vector(i.key || ' ' || i.title || label_words(i.labels) || age_word(i.id) || long_word(i.description), i.description,
    (select string_agg(v.text_value, ' ') from item_value v where v.tenant_id = i.tenant_id and v.item_id = i.id and v.text_value is not null))
  from item i where i.tenant_id = tenant and i.id = any(items)
  on conflict (tenant_id, id) do update set tsv = excluded.tsv where item_search.tsv <> excluded.tsv;
  insert into search_word (tenant_id, word)
  select tenant, d.word
  from (select distinct w.word from item_search s, lexicon_words(s.tsv) w(word) where s.tenant_id = tenant and s.id = any(items)) d
  where not exists (select 1 from search_word w where w.tenant_id = tenant and w.word = d.word) $$;
alter table item_search drop column title;

-- Names: the same keys, with the property.
drop index name_part_found;
drop function name_part_ids(text, text, boolean, boolean, integer);
drop function text_parts(text);
create index name_part_words on name_part using gin (part_words(part_scope(tenant_id, property), text)) with (gin_pending_list_limit = 512);
create function name_part_ids(of_property text, part text, at_start boolean, at_end boolean, rarest text, rare text, most integer) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan
  set enable_seqscan = off set enable_indexscan = off set work_mem = '16MB' as $$
declare
  tenant uuid := current_tenant();
  scope text := part_scope(tenant, of_property);
  asked text := marked_text(fold(part), at_start, at_end);
  whole tsquery := part_query(scope, asked);
  first tsquery := coalesce(part_query(scope, rarest), whole);
  second tsquery := coalesce(part_query(scope, rare), first);
begin
  return query select n.id from name_part n where n.tenant_id = tenant and n.property = of_property and part_words(part_scope(n.tenant_id, n.property), n.text) @@ first
    and part_words(part_scope(n.tenant_id, n.property), n.text) @@ second and part_words(part_scope(n.tenant_id, n.property), n.text) @@ whole and strpos(marked_text(n.text, true, true), asked) > 0 limit most;
end $$;
revoke all on function name_part_ids from public;
grant execute on function name_part_ids to gantry_app;

-- Custom texts keep their index of trigrams, because they may be long. The field belongs to one tenant, so the keys need no tenant beside it.
drop index item_value_text_parts;
create index item_value_text_parts on item_value using gin (field_id, text_value gin_trgm_ops) with (gin_pending_list_limit = 512) where text_value is not null;
drop function item_value_ids(uuid, text, boolean, boolean);
create function item_value_ids(field uuid, part text, at_start boolean, at_end boolean, rarest text, rare text) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan
  set enable_seqscan = off set enable_indexscan = off as $$
declare
  tenant uuid := current_tenant();
  asked text := fold(part);
  pattern text := like_pattern(part, at_start, at_end);
  first text := case when rarest ~ '^[a-z0-9]{3}$' then '%' || rarest || '%' else pattern end;
  second text := case when rare ~ '^[a-z0-9]{3}$' then '%' || rare || '%' else pattern end;
begin
  return query select v.item_id from item_value v where v.tenant_id = tenant and v.field_id = field and length(v.text_value) >= 500;
  if asked !~ '^[a-z0-9]{1,2}$' or at_start or at_end and length(asked) = 2 then
    return query select v.item_id from item_value v where v.tenant_id = tenant and v.field_id = field and v.text_value is not null
      and v.text_value like first and v.text_value like second and v.text_value like pattern;
    return;
  end if;
  return query select f.item_id from unnest(short_part_expressions(asked)) e,
      lateral (select v.item_id from item_value v where v.tenant_id = tenant and v.field_id = field and v.text_value is not null and v.text_value ~ e offset 0) f
    union all select f.item_id from unnest(short_part_likes(asked)) l,
      lateral (select v.item_id from item_value v where v.tenant_id = tenant and v.field_id = field and v.text_value is not null and v.text_value like l offset 0) f
    union all select v.item_id from item_value v where v.tenant_id = tenant and v.field_id = field and strpos(v.text_value, asked) > 0
      and octet_length(v.text_value) <> length(v.text_value) and v.text_value ~ '[a-z0-9][^\u0001-\u007f]|[^\u0001-\u007f][a-z0-9]';
end $$;
revoke all on function item_value_ids from public;
grant execute on function item_value_ids to gantry_app;
