-- The search tables carry the policy of all tables of tenants. Operators of full text and of similar words could leak, so
-- under a policy PostgreSQL does not use their indexes. Four functions use them: they run as the owner of the tables, whom
-- the policy does not bind here, and read the tenant of the session and no other.
create procedure searched_by_function(kind text) language plpgsql as $$
begin
  call wall(kind);
  execute format('alter table %I no force row level security', kind);
end $$;
call searched_by_function('item_search');
call searched_by_function('annotation_search');
call searched_by_function('document_search');
call searched_by_function('search_word');
drop procedure searched_by_function;

-- Each search is planned for its own words, because rare and frequent ones need other plans; none reads the words of all tenants.
create procedure finds_ids(kind text) language plpgsql as $$
begin
  execute format('create function %I(query tsquery, most integer) returns setof uuid
    language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off as $body$
    declare tenant uuid := current_tenant();
    begin
      return query select s.id from %I s where s.tenant_id = tenant and s.tsv @@ query limit most;
    end $body$', kind || '_ids', kind);
  execute format('revoke all on function %I from public', kind || '_ids');
  execute format('grant execute on function %I to gantry_app', kind || '_ids');
end $$;
call finds_ids('item_search');
call finds_ids('annotation_search');
call finds_ids('document_search');
drop procedure finds_ids;

create function similar_words(wanted text[], most integer) returns table (word text, near text, alike real)
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare tenant uuid := current_tenant();
begin
  return query select w.word, n.word, n.alike from unnest(wanted) w(word), lateral (
    select s.word, similarity(s.word, w.word) as alike from search_word s
    where s.tenant_id = tenant and s.word % w.word and s.word <> w.word order by 2 desc, 1 limit most) n;
end $$;
revoke all on function similar_words from public;
grant execute on function similar_words to gantry_app;
