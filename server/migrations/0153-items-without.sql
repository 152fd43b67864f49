-- Items that nobody is assigned to, and items without labels, are looked for among closed ones, too, and are few where people use assignees and labels.
-- The indexes have no ids, so that equal entries are stored once. The statistics say how many there are: those of the columns only know frequent lists.
drop index item_unassigned;
create index item_unassigned on item (tenant_id, container_id) where cardinality(assignees) = 0 and not deleted;
create index item_unlabelled on item (tenant_id, container_id) where cardinality(labels) = 0 and not deleted;
create statistics item_assignee_numbers on (cardinality(assignees)) from item;
create statistics item_label_numbers on (cardinality(labels)) from item;
do $$ begin
  if pg_relation_size('item') > 0 then analyze item; end if;
end $$;
