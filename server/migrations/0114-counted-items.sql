-- Exact counts of a tenant and of a container read this index only. Equal entries are stored once, so that it takes seven bytes of an item,
-- and a count reads a sixteenth of the pages of item_of_container.
create index item_counted on item (tenant_id, container_id) where not deleted and not archived;
