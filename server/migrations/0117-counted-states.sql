-- Exact counts by state read this index only, too. The entries of one container and state are equal and are stored once, so that the index takes
-- hardly more than with the container alone.
drop index item_counted;
create index item_counted on item (tenant_id, container_id, status_category, status) where not deleted and not archived;
