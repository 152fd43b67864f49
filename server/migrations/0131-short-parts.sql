-- Parts of one and two letters or digits are found by the indexes of trigrams, too. A text that contains `x0` has the trigram of `x0` and what follows:
-- another letter or digit, or the end of the word. There are few such trigrams, and the index is asked for all of them. Only ASCII is enumerated; texts
-- in which another character is beside a letter or digit of ASCII are in small indexes of their own, and are always compared.

-- Of each other text with the part, one of the patterns (`like`) or one of the expressions (`~`) is true. Both are such that trigrams follow from them;
-- from the end of a text in an expression, or from a character beyond U+07FF, none would. Each is asked by itself, because the index compares what it
-- finds with all that it is asked for.
create function short_part_likes(part text) returns text[] language sql immutable parallel safe as $$
  select case length(part) when 2 then array['%' || part] else array[part || '%'] || array(
    select p.l from generate_series(1, 127) n, lateral (select chr(n) as c) c,
      lateral (values ('%' || case when c in ('\', '%', '_') then '\' else '' end || c || part, true), ('%' || part || c, c ~ '[a-z0-9]')) p(l, asked)
    where p.asked and c !~ '[A-Z]') end $$;
create function short_part_expressions(part text) returns text[] language sql immutable parallel safe as $$
  select case length(part) when 2 then array[part || '[\u0001-\u0040\u005b-\u007f]']
    else '[\u0001-\u0040\u005b-\u007f]' || part || '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]' || array(
      select part || c || '[\u0001-\u0040\u005b-\u007f]' from regexp_split_to_table('abcdefghijklmnopqrstuvwxyz0123456789', '') c) end $$;

create index item_search_mixed on item_search (tenant_id)
  where octet_length(title) <> length(title) and title ~ '[a-z0-9][^\u0001-\u007f]|[^\u0001-\u007f][a-z0-9]';
create or replace function item_title_ids(part text, at_start boolean, at_end boolean) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan
  set enable_seqscan = off set enable_indexscan = off as $$
declare
  tenant uuid := current_tenant();
  asked text := fold(part);
  pattern text := like_pattern(part, at_start, at_end);
begin
  if asked !~ '^[a-z0-9]{1,2}$' or at_start or at_end and length(asked) = 2 then
    return query select s.id from item_search s where s.tenant_id = tenant and s.title like pattern;
    return;
  end if;
  return query select f.id from unnest(short_part_expressions(asked)) e,
      lateral (select s.id from item_search s where s.tenant_id = tenant and s.title ~ e offset 0) f
    union all select f.id from unnest(short_part_likes(asked)) l,
      lateral (select s.id from item_search s where s.tenant_id = tenant and s.title like l offset 0) f
    union all select s.id from item_search s where s.tenant_id = tenant and strpos(s.title, asked) > 0
      and octet_length(s.title) <> length(s.title) and s.title ~ '[a-z0-9][^\u0001-\u007f]|[^\u0001-\u007f][a-z0-9]';
end $$;

create index item_value_mixed on item_value (tenant_id, field_id)
  where octet_length(text_value) <> length(text_value) and text_value ~ '[a-z0-9][^\u0001-\u007f]|[^\u0001-\u007f][a-z0-9]';
create or replace function item_value_ids(field uuid, part text, at_start boolean, at_end boolean) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan
  set enable_seqscan = off set enable_indexscan = off as $$
declare
  tenant uuid := current_tenant();
  asked text := fold(part);
  pattern text := like_pattern(part, at_start, at_end);
begin
  return query select v.item_id from item_value v where v.tenant_id = tenant and v.field_id = field and length(v.text_value) >= 500;
  if asked !~ '^[a-z0-9]{1,2}$' or at_start or at_end and length(asked) = 2 then
    return query select v.item_id from item_value v
      where v.tenant_id = tenant and v.field_id = field and v.text_value is not null and v.text_value like pattern;
    return;
  end if;
  return query select f.item_id from unnest(short_part_expressions(asked)) e,
      lateral (select v.item_id from item_value v where v.tenant_id = tenant and v.field_id = field and v.text_value is not null and v.text_value ~ e offset 0) f
    union all select f.item_id from unnest(short_part_likes(asked)) l,
      lateral (select v.item_id from item_value v where v.tenant_id = tenant and v.field_id = field and v.text_value is not null and v.text_value like l offset 0) f
    union all select v.item_id from item_value v where v.tenant_id = tenant and v.field_id = field and strpos(v.text_value, asked) > 0
      and octet_length(v.text_value) <> length(v.text_value) and v.text_value ~ '[a-z0-9][^\u0001-\u007f]|[^\u0001-\u007f][a-z0-9]';
end $$;

-- The words of the session's tenant with such a part, some of them more than once.
create index search_word_mixed on search_word (tenant_id)
  where octet_length(word) <> length(word) and word ~ '[a-z0-9][^\u0001-\u007f]|[^\u0001-\u007f][a-z0-9]';
create function words_with(asked text, most integer) returns setof text
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan
  set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
declare tenant uuid := current_tenant();
begin
  return query select f.word from (
    select f.word from unnest(short_part_expressions(asked)) e,
      lateral (select w.word from search_word w where w.tenant_id = tenant and w.word ~ e offset 0) f
    union all select f.word from unnest(short_part_likes(asked)) l,
      lateral (select w.word from search_word w where w.tenant_id = tenant and w.word like l offset 0) f
    union all select w.word from search_word w where w.tenant_id = tenant and strpos(w.word, asked) > 0
      and octet_length(w.word) <> length(w.word) and w.word ~ '[a-z0-9][^\u0001-\u007f]|[^\u0001-\u007f][a-z0-9]') f limit most;
end $$;
revoke all on function words_with from public;
grant execute on function words_with to gantry_app;
