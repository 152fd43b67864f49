-- Who sees an item that is not open to all who reach its container: its author, its requester, its assignees and groups. Counts look for the few items
-- of a caller here, instead of at all such items. Others have no rows.
create table item_admitted (
  tenant_id    uuid not null,
  principal_id uuid not null,
  item_id      uuid not null,
  primary key (tenant_id, principal_id, item_id)
);
create index item_admitted_of_item on item_admitted (tenant_id, item_id);
call wall('item_admitted');

create function note_admitted() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from item_admitted a where a.tenant_id = new.tenant_id and a.item_id = new.id;
  end if;
  if new.visibility <> 0 then
    insert into item_admitted (tenant_id, principal_id, item_id)
    select distinct new.tenant_id, p, new.id from unnest(array[new.created_by, new.requester_id] || new.assignees || new.restricted_to) p where p is not null;
  end if;
  return null;
end $$;
create trigger item_admits after insert on item for each row when (new.visibility <> 0) execute function note_admitted();
create trigger item_changes_admitted after update of visibility, created_by, requester_id, assignees, restricted_to on item for each row
  when ((old.visibility <> 0 or new.visibility <> 0) and (old.visibility, old.created_by, old.requester_id, old.assignees, old.restricted_to)
    is distinct from (new.visibility, new.created_by, new.requester_id, new.assignees, new.restricted_to))
  execute function note_admitted();

alter table item no force row level security;
alter table item_admitted no force row level security;
insert into item_admitted (tenant_id, principal_id, item_id)
  select distinct i.tenant_id, p, i.id from item i, unnest(array[i.created_by, i.requester_id] || i.assignees || i.restricted_to) p
  where i.visibility <> 0 and p is not null;
alter table item_admitted force row level security;
alter table item force row level security;
