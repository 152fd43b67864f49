-- Open items that nobody is assigned to are looked for every day, and are few. The index has no ids, so that equal entries are stored once.
create index item_unassigned on item (tenant_id, container_id) where assignees = '{}' and status_category not in (4, 5) and not deleted;
