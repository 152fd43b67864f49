-- The open work of a user is read by an index, however much was assigned to them and closed before.
alter table item_assignee add column open boolean not null default true;

create or replace function note_assignees() returns trigger language plpgsql as $$
begin
  delete from item_assignee where tenant_id = new.tenant_id and item_id = new.id and user_id <> all (new.assignees);
  insert into item_assignee (tenant_id, user_id, item_id, open)
  select new.tenant_id, unnest(new.assignees), new.id, new.status_category not in (4, 5) on conflict do nothing;
  return null;
end $$;

create function note_opening() returns trigger language plpgsql as $$
begin
  update item_assignee set open = new.status_category not in (4, 5) where tenant_id = new.tenant_id and item_id = new.id;
  return null;
end $$;
create trigger item_opens_or_closes after update of status_category on item for each row
  when ((old.status_category in (4, 5)) is distinct from (new.status_category in (4, 5))) execute function note_opening();

alter table item no force row level security;
alter table item_assignee no force row level security;
update item_assignee a set open = false from item i where i.tenant_id = a.tenant_id and i.id = a.item_id and i.status_category in (4, 5);
alter table item force row level security;
alter table item_assignee force row level security;

create index item_assignee_open on item_assignee (tenant_id, user_id, item_id) where open;
