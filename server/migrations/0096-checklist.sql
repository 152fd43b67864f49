-- The checklist of an item: steps in an order, each checked by somebody at some time.
create table checklist_entry (
  like record including all,
  item_id     uuid not null,
  text        text not null,
  sequence    integer not null default 0,
  assignee_id uuid,
  checked     boolean not null default false,
  checked_by  uuid,
  checked_at  timestamptz,
  -- The item that the entry has become; then it is deleted.
  became_id   uuid
);
call records('checklist_entry');
alter table checklist_entry add foreign key (tenant_id, item_id) references item (tenant_id, id);
create index checklist_entry_of_item on checklist_entry (tenant_id, item_id, sequence, id) where not deleted;
create index checklist_entry_of_assignee on checklist_entry (tenant_id, assignee_id) where assignee_id is not null and not deleted;

-- The progress of the checklist, with the item, where lists, conditions and formulas read it.
alter table item
  add column checklist_done  integer not null default 0,
  add column checklist_total integer not null default 0;

-- Kept by differences, so that two who check entries of one item at the same time both count. The items of an imported tenant come
-- with their numbers.
create function note_checklist() returns trigger language plpgsql as $$
declare
  was_listed boolean := tg_op <> 'INSERT' and not old.deleted;
  is_listed boolean := tg_op <> 'DELETE' and not new.deleted;
begin
  update item set
    checklist_total = checklist_total + is_listed::int - was_listed::int,
    checklist_done = checklist_done + (is_listed and new.checked)::int - (was_listed and old.checked)::int
  where tenant_id = coalesce(new.tenant_id, old.tenant_id) and id = coalesce(new.item_id, old.item_id);
  return null;
end $$;
create trigger checklist_entry_made after insert on checklist_entry for each row
  when (not new.deleted and current_setting('app.importing', true) is distinct from 'on') execute function note_checklist();
create trigger checklist_entry_changed after update of checked, deleted on checklist_entry for each row
  when ((old.checked, old.deleted) is distinct from (new.checked, new.deleted)) execute function note_checklist();
create trigger checklist_entry_gone after delete on checklist_entry for each row when (not old.deleted) execute function note_checklist();
