-- A list by story points reads the items that have some in this order; an item without takes nothing.
create index item_by_points on item (tenant_id, points, id) where points <> 0 and not deleted and not archived;
