-- Parts of descriptions are found by the words that contain them: the lexicon tells these words, and the index of words the items. So the
-- lexicon has every word of a description, from the transaction that writes it.

-- Two transactions may write the same new word. Each inserts a row of its own, because they would wait for each other for a single one.
alter table search_word add column writer integer not null default pg_backend_pid();
alter table search_word drop constraint search_word_pkey;
alter table search_word add primary key (tenant_id, word, writer);
-- A lookup reads the whole pending list, so it is short.
alter index search_word_parts set (gin_pending_list_limit = 64);

-- The words of an item that the lexicon has: all of its description, and those of other texts that somebody may mistype.
create function lexicon_words(tsv tsvector) returns setof text language sql immutable parallel safe as $$
  select w from unnest(tsvector_to_array(ts_filter(tsv, '{b}'))) w
  union all select w from unnest(tsvector_to_array(ts_filter(tsv, '{a,c}'))) w
    where length(w) between 3 and 40 and w ~ '[^0-9]' and w !~ '^(l[0-9a-f]{32}|age[0-9]{9}|longtext0)$' $$;

-- Marks an item whose description has a word that is too long for an index, or a text of which only the beginning is indexed.
create function long_word(description text) returns text language sql immutable parallel safe as $$
  select case when octet_length(description) > 680 and (length(description) > 100000 or exists (
    select from unnest(string_to_array(translate(description, E'\n\r\t', '   '), ' ')) w where octet_length(w) > 680)) then ' longtext0' else '' end $$;

create or replace function index_items(tenant uuid, items uuid[]) returns void language sql as $$
  insert into item_search (tenant_id, id, tsv, title)
  select i.tenant_id, i.id, search_vector(i.key || ' ' || i.title || label_words(i.labels) || age_word(i.id) || long_word(i.description), i.description,
    (select string_agg(v.text_value, ' ') from item_value v where v.tenant_id = i.tenant_id and v.item_id = i.id and v.text_value is not null)),
    fold(i.title)
  from item i where i.tenant_id = tenant and i.id = any(items)
  on conflict (tenant_id, id) do update set tsv = excluded.tsv, title = excluded.title
  where item_search.tsv <> excluded.tsv or item_search.title <> excluded.title;
  insert into search_word (tenant_id, word)
  select tenant, d.word
  from (select distinct w.word from item_search s, lexicon_words(s.tsv) w(word) where s.tenant_id = tenant and s.id = any(items)) d
  where not exists (select 1 from search_word w where w.tenant_id = tenant and w.word = d.word) $$;

-- The words of the session's tenant that are like a pattern.
create function words_like(pattern text, most integer) returns setof text
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare tenant uuid := current_tenant();
begin
  return query select w.word from search_word w where w.tenant_id = tenant and w.word like pattern limit most;
end $$;
revoke all on function words_like from public;
grant execute on function words_like to gantry_app;

create or replace function similar_words(wanted text[], most integer) returns table (word text, near text, alike real)
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare tenant uuid := current_tenant();
begin
  return query select w.word, n.word, n.alike from unnest(wanted) w(word), lateral (
    select distinct s.word, similarity(s.word, w.word) as alike from search_word s
    where s.tenant_id = tenant and s.word % w.word and s.word <> w.word order by 2 desc, 1 limit most) n;
end $$;

alter table item no force row level security;
update item_search s set tsv = s.tsv || setweight(to_tsvector('pg_catalog.simple', long_word(i.description)), 'A')
  from item i where i.tenant_id = s.tenant_id and i.id = s.id and long_word(i.description) <> '';
alter table item force row level security;
insert into search_word (tenant_id, word)
  select d.tenant_id, d.word
  from (select distinct s.tenant_id, w.word from item_search s, unnest(tsvector_to_array(ts_filter(s.tsv, '{b}'))) w(word)) d
  where not exists (select 1 from search_word w where w.tenant_id = d.tenant_id and w.word = d.word);
