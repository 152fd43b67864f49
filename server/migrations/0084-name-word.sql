-- The words of names and keys, to find records by their beginnings. Comparisons of text by bytes use the index under row level
-- security, which a pattern would not.
create table name_word (
  tenant_id uuid not null,
  entity    text collate "C" not null,
  word      text collate "C" not null,
  id        uuid not null,
  primary key (tenant_id, entity, word, id)
);
call wall('name_word');
create index name_word_of_record on name_word (tenant_id, id);

-- The words of some properties; few and short ones, because nobody types more of a name to find it.
create function name_words(texts text) returns setof text language sql immutable parallel safe as $$
  select distinct left(w, 40) from unnest((string_to_array(trim(searched(left(texts, 500))), ' '))[1:20]) w where w <> '' $$;

create function note_name_words() returns trigger language plpgsql as $$
declare
  texts text := (select string_agg(to_jsonb(new) ->> c, ' ') from unnest(tg_argv[1:]) c);
begin
  if tg_op = 'UPDATE' then
    delete from name_word n where n.tenant_id = new.tenant_id and n.id = new.id and n.entity = tg_argv[0];
  end if;
  if not new.deleted then
    insert into name_word (tenant_id, entity, word, id)
      select new.tenant_id, tg_argv[0], w, new.id from name_words(texts) w on conflict do nothing;
  end if;
  return null;
end $$;

create procedure has_name_words(kind text, entity text, variadic columns text[]) language plpgsql as $$
declare
  changed text := (select string_agg(format('new.%1$I is distinct from old.%1$I', c), ' or ') from unnest(columns || array['deleted']) c);
  named text := (select string_agg(quote_literal(c), ', ') from unnest(columns) c);
begin
  execute format('alter table %I no force row level security', kind);
  execute format('insert into name_word (tenant_id, entity, word, id) select t.tenant_id, %L, w, t.id from %I t cross join lateral name_words(concat_ws('' '', %s)) w where not t.deleted',
    entity, kind, (select string_agg(format('t.%I', c), ', ') from unnest(columns) c));
  execute format('alter table %I force row level security', kind);
  execute format('create trigger %I after insert on %I for each row execute function note_name_words(%L, %s)', kind || '_has_words', kind, entity, named);
  execute format('create trigger %I after update on %I for each row when (%s) execute function note_name_words(%L, %s)', kind || '_changes_words', kind, changed, entity, named);
end $$;
alter table name_word no force row level security;
call has_name_words('user', 'User', 'name', 'initials');
call has_name_words('container', 'Container', 'key', 'name');
call has_name_words('container_filter', 'ContainerFilter', 'name');
call has_name_words('board', 'Board', 'name');
call has_name_words('crm', 'Crm', 'code', 'name');
call has_name_words('file', 'File', 'name');
call has_name_words('document', 'Document', 'name');
alter table name_word force row level security;
drop procedure has_name_words;

-- The beginnings of titles. The trigrams of the index on titles need three letters.
create index item_search_title_start on item_search (tenant_id, (left(title, 24)) text_pattern_ops);
create function item_title_start_ids(start text, most integer) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  tenant uuid := current_tenant();
  pattern text := regexp_replace(left(fold(start), 24), '([\\%_])', '\\\1', 'g') || '%';
begin
  return query select s.id from item_search s where s.tenant_id = tenant and left(s.title, 24) like pattern limit most;
end $$;
revoke all on function item_title_start_ids from public;
grant execute on function item_title_start_ids to gantry_app;
