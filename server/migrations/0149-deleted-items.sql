-- A list of deleted items looked through all others.
create index item_deleted on item (tenant_id, id) where deleted;
