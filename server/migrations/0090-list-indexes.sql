-- Lists by priority read a page in the order of an index.
create index item_by_priority on item (tenant_id, priority, id) where not deleted and not archived;

-- A count takes all items of an index, and subtracts those of them that are restricted, of which there are few. The flow of items and
-- lists of time read the restricted ones one by one, too.
create index item_restricted on item (tenant_id, container_id) where visibility <> 0;
