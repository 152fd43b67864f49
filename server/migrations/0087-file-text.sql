-- The texts of files, and the words of files: of the name, the text and the description.
create table file_text (
  tenant_id uuid not null,
  id        uuid not null,
  body      text not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, id) references file (tenant_id, id) on delete cascade
);
call wall('file_text');

-- Matched by a function that runs as the owner, like the words of other records (see the migration `search-policy`).
create table file_search (
  tenant_id uuid not null,
  id        uuid not null,
  tsv       tsvector not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, id) references file (tenant_id, id) on delete cascade
);
create index file_search_words on file_search using gin (tenant_id, tsv) with (gin_pending_list_limit = 512);
call wall('file_search');
alter table file_search no force row level security;
create function file_search_ids(query tsquery, most integer) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare tenant uuid := current_tenant();
begin
  return query select s.id from file_search s where s.tenant_id = tenant and s.tsv @@ query limit most;
end $$;
revoke all on function file_search_ids from public;
grant execute on function file_search_ids to gantry_app;

-- Files are written on many ways: uploads, mail, imports, copies, undo.
create function index_file() returns trigger language plpgsql as $$
begin
  insert into file_search (tenant_id, id, tsv)
  select f.tenant_id, f.id, search_vector(f.name, x.body, f.description) from file f
    left join file_text x on x.tenant_id = new.tenant_id and x.id = f.id
  where f.tenant_id = new.tenant_id and f.id = new.id
  on conflict (tenant_id, id) do update set tsv = excluded.tsv;
  return null;
end $$;
create trigger file_is_indexed after insert or update of name, description on file for each row execute function index_file();
create trigger file_text_is_indexed after insert or update on file_text for each row execute function index_file();

alter table file no force row level security;
insert into file_search (tenant_id, id, tsv) select tenant_id, id, search_vector(name, '', description) from file;
alter table file force row level security;
