-- Lists by title, status and creation read a page in the order of an index. They are of the tenant, and serve containers as well: a large
-- container is met often on the way, and of a small one all items are sorted.
create index item_by_title on item (tenant_id, title, id) where not deleted and not archived;
create index item_by_status on item (tenant_id, status, id) where not deleted and not archived;
create index item_by_created on item (tenant_id, created, id) where not deleted and not archived;
