-- Items of a container in the order of their titles or priorities. By the indexes of the tenant, a page of a container passed all items of the
-- others that come before its own in this order.
create index item_of_container_by_title on item (tenant_id, container_id, title, id) where not deleted and not archived;
create index item_of_container_by_priority on item (tenant_id, container_id, priority, id) where not deleted and not archived;
