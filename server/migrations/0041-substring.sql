-- Parts of words are found by an index of trigrams, like words by that of full text.

-- A text of ASCII needs neither the tables of the locale nor those of Unicode; most texts are such, and folding one costs less than half
-- of what it did. A function that is not strict becomes part of the statement that calls it. Where the locale has another small
-- letter for I, as in Turkish, texts stay folded as they are.
do $$
begin
  if lower('I') = 'i' then
    create or replace function fold(value text) returns text language sql immutable parallel safe as $body$
      select case when octet_length(value) = length(value) then lower(value collate "C")
        else regexp_replace(normalize(lower(value), NFKD), '[\u0300-\u036f]', '', 'g') end $body$;
  end if;
end $$;

-- The search row of an item also has its folded title. The table is written anew, because an update of all rows would leave it
-- twice as large.
alter table item_search rename to item_search_before;
alter table item_search_before rename constraint item_search_pkey to item_search_before_pkey;
drop index item_search_words;
create table item_search (
  tenant_id uuid not null,
  id        uuid not null,
  tsv       tsvector not null,
  title     text not null default ''
);
alter table item no force row level security;
insert into item_search (tenant_id, id, tsv, title)
  select s.tenant_id, s.id, s.tsv, coalesce(fold(i.title), '')
  from item_search_before s left join item i on i.tenant_id = s.tenant_id and i.id = s.id order by s.tenant_id, s.id;
alter table item force row level security;
drop table item_search_before;
alter table item_search add primary key (tenant_id, id);
create index item_search_words on item_search using gin (tenant_id, tsv) with (gin_pending_list_limit = 512);
create index item_search_title_parts on item_search using gin (tenant_id, title gin_trgm_ops) with (gin_pending_list_limit = 512);
call wall('item_search');
alter table item_search no force row level security;

-- The items of the session's tenant whose title contains a text, at its start or its end if that is asked for.
create function item_title_ids(part text, at_start boolean, at_end boolean) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  tenant uuid := current_tenant();
  pattern text := case when at_start then '' else '%' end || regexp_replace(fold(part), '([\\%_])', '\\\1', 'g') || case when at_end then '' else '%' end;
begin
  return query select s.id from item_search s where s.tenant_id = tenant and s.title like pattern;
end $$;
revoke all on function item_title_ids from public;
grant execute on function item_title_ids to gantry_app;

create or replace function index_items(tenant uuid, items uuid[]) returns void language sql as $$
  insert into item_search (tenant_id, id, tsv, title)
  select i.tenant_id, i.id, search_vector(i.key || ' ' || i.title || label_words(i.labels) || age_word(i.id), i.description,
    (select string_agg(v.text_value, ' ') from item_value v where v.tenant_id = i.tenant_id and v.item_id = i.id and v.text_value is not null)),
    fold(i.title)
  from item i where i.tenant_id = tenant and i.id = any(items)
  on conflict (tenant_id, id) do update set tsv = excluded.tsv, title = excluded.title
  where item_search.tsv <> excluded.tsv or item_search.title <> excluded.title $$;
