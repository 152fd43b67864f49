-- Full text, and what keeps lists as fast with a million items as with ten thousand.

-- Both may be made by whoever owns the database: they are trusted extensions.
create extension if not exists btree_gin;
create extension if not exists pg_trgm;

-- A text as it is searched: folded, and nothing but words with blanks between. Plain texts, most of all, are spared the
-- costly part of folding. The separators are written out, so that no locale of the database has a say in what a word is.
create function searched(value text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(case when octet_length(value) = length(value) then lower(value) else fold(value) end,
    '[\x01-\x1f\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\xbf\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f\uff00-\uff0f]+', ' ', 'g') $$;

-- Name and key weigh most, then what is told at length, then the rest. Only so much of a text is read: an index entry must
-- not outgrow what PostgreSQL can hold, and nobody looks for the ten thousandth line.
create function search_vector(title text, body text, more text) returns tsvector language sql immutable parallel safe as $$
  select setweight(to_tsvector('pg_catalog.simple', searched(left(coalesce(title, ''), 20000))), 'A')
    || setweight(to_tsvector('pg_catalog.simple', searched(left(coalesce(body, ''), 100000))), 'B')
    || setweight(to_tsvector('pg_catalog.simple', searched(left(coalesce(more, ''), 20000))), 'C') $$;

-- One term of a question: its words in this order, the last of them as far as it goes.
create function search_term(words text, open boolean) returns tsquery language sql immutable strict parallel safe as $$
  select case when open and numnode(q) > 0 then (q::text || ':*')::tsquery else q end
  from (select phraseto_tsquery('pg_catalog.simple', searched(words)) as q) t $$;

-- What an item is called: its key, its title, and its labels, which stand there by their ids, so that a label that is
-- renamed need not be looked for in every item that carries it; whoever asks for a name asks for the ids it has now.
create function label_words(labels uuid[]) returns text language sql immutable strict parallel safe as
$$ select case when labels = '{}' then '' else ' l' || replace(array_to_string(labels, ' l'), '-', '') end $$;

-- When an item was made, to about 25 days (2^31 ms), as a word among its words: the index finds the newest of many hits
-- without reading the others. Ids begin with the time.
create function age_word(id uuid) returns text language sql immutable strict parallel safe as
$$ select ' age' || lpad((('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint >> 31)::text, 9, '0') $$;

-- Under row level security PostgreSQL does not use an index whose operators could leak, and full text is such. So what is
-- matched stands apart from what is shown: these tables have no policy, nothing of them ever goes out, and every row that
-- does is read from its own table, behind its wall. The tenant is part of each index, so that a search reads its own part.
create procedure searchable(kind text) language plpgsql as $$
begin
  execute format('create table %I (tenant_id uuid not null, id uuid not null, tsv tsvector not null, primary key (tenant_id, id))', kind);
  execute format('create index %I on %I using gin (tenant_id, tsv) with (gin_pending_list_limit = 512)', kind || '_words', kind);
  execute format('grant select, insert, update, delete on %I to gantry_app', kind);
end $$;
call searchable('item_search');
call searchable('annotation_search');
call searchable('document_search');
drop procedure searchable;

-- The words that a tenant uses: where a mistyped one finds its neighbours. Matched only, like the above.
create table search_word (
  tenant_id uuid not null,
  word      text collate "C" not null,
  primary key (tenant_id, word)
);
create index search_word_parts on search_word using gin (tenant_id, word gin_trgm_ops);
grant select, insert, update, delete on search_word to gantry_app;

-- Whose turn it is: a list of people on the item itself has no index that could be used behind the wall.
create table item_assignee (
  tenant_id uuid not null,
  user_id   uuid not null,
  item_id   uuid not null,
  primary key (tenant_id, user_id, item_id)
);
call wall('item_assignee');
create index item_assignee_of_item on item_assignee (tenant_id, item_id);

-- What is there already.
alter table item no force row level security;
alter table item_value no force row level security;
alter table label no force row level security;
alter table annotation no force row level security;
alter table document no force row level security;
alter table document_content no force row level security;
alter table item_assignee no force row level security;
insert into item_search (tenant_id, id, tsv)
  select i.tenant_id, i.id, search_vector(i.key || ' ' || i.title || ' ' || array_to_string(array(select l.name from label l where l.tenant_id = i.tenant_id and l.id = any(i.labels)), ' ') || age_word(i.id), i.description,
    (select string_agg(v.text_value, ' ') from item_value v where v.tenant_id = i.tenant_id and v.item_id = i.id and v.text_value is not null))
  from item i;
insert into annotation_search (tenant_id, id, tsv) select tenant_id, id, search_vector('', body, '') from annotation;
insert into document_search (tenant_id, id, tsv)
  select d.tenant_id, d.id, search_vector(d.name, c.body, d.author)
  from document d left join document_content c on c.tenant_id = d.tenant_id and c.id = d.id;
insert into search_word (tenant_id, word)
  select distinct tenant_id, word from (
    select tenant_id, unnest(tsvector_to_array(tsv)) as word from item_search
    union all select tenant_id, unnest(tsvector_to_array(tsv)) from annotation_search
    union all select tenant_id, unnest(tsvector_to_array(tsv)) from document_search) w
  where length(word) between 3 and 40 and word ~ '[^0-9]' and word !~ '^(l[0-9a-f]{32}|age[0-9]{9})$';
insert into item_assignee (tenant_id, user_id, item_id) select distinct tenant_id, unnest(assignees), id from item;
alter table item force row level security;
alter table item_value force row level security;
alter table label force row level security;
alter table annotation force row level security;
alter table document force row level security;
alter table document_content force row level security;
alter table item_assignee force row level security;

-- Brings the words of items up to date with what is written.
create function index_items(tenant uuid, items uuid[]) returns void language sql as $$
  insert into item_search (tenant_id, id, tsv)
  select i.tenant_id, i.id, search_vector(i.key || ' ' || i.title || label_words(i.labels) || age_word(i.id), i.description,
    (select string_agg(v.text_value, ' ') from item_value v where v.tenant_id = i.tenant_id and v.item_id = i.id and v.text_value is not null))
  from item i where i.tenant_id = tenant and i.id = any(items)
  on conflict (tenant_id, id) do update set tsv = excluded.tsv where item_search.tsv <> excluded.tsv $$;

-- Labels and people come to an item and leave it on many ways, so what is found by them follows by itself.
create function note_assignees() returns trigger language plpgsql as $$
begin
  delete from item_assignee where tenant_id = new.tenant_id and item_id = new.id and user_id <> all (new.assignees);
  insert into item_assignee (tenant_id, user_id, item_id) select new.tenant_id, unnest(new.assignees), new.id on conflict do nothing;
  return null;
end $$;
create trigger item_changes_assignees after update of assignees on item for each row
  when (new.assignees is distinct from old.assignees) execute function note_assignees();
create function reword_labels() returns trigger language plpgsql as $$
begin
  update item_search set tsv = ts_delete(tsv, array(select 'l' || replace(u::text, '-', '') from unnest(old.labels) u))
    || setweight(to_tsvector('pg_catalog.simple', label_words(new.labels)), 'A')
  where tenant_id = new.tenant_id and id = new.id;
  return null;
end $$;
create trigger item_words_follow_labels after update of labels on item for each row
  when (new.labels is distinct from old.labels) execute function reword_labels();

-- Filters of one person, and those they share them with: users and groups.
alter table container_filter
  add column owner_user_id uuid,
  add column shared        uuid[] not null default '{}';

-- Lists of a container begin where their page begins, however much was closed long ago. Open work is what people look at
-- most and is a small part of all; the words of the condition are those of the statements.
create index item_open_by_id on item (tenant_id, container_id, id) where status_category not in (4, 5) and not deleted;
create index item_open_by_due on item (tenant_id, container_id, due_date, id) where status_category not in (4, 5) and not deleted;
create index item_open_by_priority on item (tenant_id, container_id, priority, id) where status_category not in (4, 5) and not deleted;
-- What changed last, in one place and everywhere; also for whoever asks what changed since.
create index item_by_updated on item (tenant_id, container_id, updated, id) where not deleted;
create index item_of_tenant_by_updated on item (tenant_id, updated, id);
-- What somebody may see because it is their own.
create index item_of_requester on item (tenant_id, requester_id) where requester_id is not null;
create index item_of_creator on item (tenant_id, created_by);
