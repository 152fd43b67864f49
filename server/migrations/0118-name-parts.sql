-- Parts of names: what somebody types into a picker. The folded text of each property has a row of its own, and an index of all its parts of
-- one, two and three characters, so that a single character is found by it, too. Names are short and there are fewer of them than items.
create table name_part (
  tenant_id uuid not null,
  property  text collate "C" not null,
  id        uuid not null,
  text      text not null,
  primary key (tenant_id, property, id)
);
call wall('name_part');
-- The policy does not bind the owner, whose function matches the rows: under a policy no such index is used.
alter table name_part no force row level security;

-- The parts of a text between two marks, by which its beginning and its end are parts of their own.
create function text_parts(marked text) returns text[] language sql immutable strict parallel safe as $$
  select array(select substr(marked, i, n) from generate_series(1, 3) n, generate_series(1, length(marked) - n + 1) i) $$;
create function marked_text(value text, at_start boolean, at_end boolean) returns text language sql immutable parallel safe as $$
  select case when at_start then e'\x02' else '' end || value || case when at_end then e'\x03' else '' end $$;

create function note_name_parts() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from name_part n where n.tenant_id = old.tenant_id and n.id = old.id;
    return null;
  end if;
  insert into name_part (tenant_id, property, id, text)
    select new.tenant_id, tg_argv[0] || '.' || c, new.id, coalesce(fold(to_jsonb(new) ->> c), '') from unnest(tg_argv[1:]) c
    on conflict (tenant_id, property, id) do update set text = excluded.text where name_part.text <> excluded.text;
  return null;
end $$;

create procedure has_name_parts(kind text, variadic columns text[]) language plpgsql as $$
declare
  changed text := (select string_agg(format('new.%1$I is distinct from old.%1$I', c), ' or ') from unnest(columns) c);
  named text := (select string_agg(quote_literal(c), ', ') from unnest(columns) c);
begin
  execute format('alter table %I no force row level security', kind);
  execute (select string_agg(format('insert into name_part (tenant_id, property, id, text) select t.tenant_id, %L, t.id, fold(t.%I) from %I t', kind || '.' || c, c, kind), '; ')
    from unnest(columns) c);
  execute format('alter table %I force row level security', kind);
  execute format('create trigger %I after insert or delete on %I for each row execute function note_name_parts(%L, %s)', kind || '_has_parts', kind, kind, named);
  execute format('create trigger %I after update on %I for each row when (%s) execute function note_name_parts(%L, %s)', kind || '_changes_parts', kind, changed, kind, named);
end $$;
call has_name_parts('user', 'name', 'email');
call has_name_parts('crm', 'name', 'code');
call has_name_parts('container', 'name', 'key');
call has_name_parts('area', 'name');
call has_name_parts('label', 'name');
call has_name_parts('document', 'name');
drop procedure has_name_parts;
create index name_part_found on name_part using gin (tenant_id, property, text_parts(marked_text(text, true, true)))
  with (gin_pending_list_limit = 512);

-- The records of the session's tenant with a text at a place of a property, at most this number; all if it is null.
create function name_part_ids(of_property text, part text, at_start boolean, at_end boolean, most integer) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  tenant uuid := current_tenant();
  asked text := marked_text(fold(part), at_start, at_end);
  parts text[] := case when length(asked) <= 3 then array[asked] else array(select substr(asked, i, 3) from generate_series(1, length(asked) - 2) i) end;
begin
  return query select n.id from name_part n
    where n.tenant_id = tenant and n.property = of_property and text_parts(marked_text(n.text, true, true)) @> parts
      and strpos(marked_text(n.text, true, true), asked) > 0 limit most;
end $$;
revoke all on function name_part_ids from public;
grant execute on function name_part_ids to gantry_app;

-- Pages in the order of names, which pickers ask for.
create index user_by_name on "user" (tenant_id, name, id);
create index crm_by_name on crm (tenant_id, name, id);
