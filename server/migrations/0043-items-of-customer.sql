-- The items of the customers whose name has a part: the customers are found first, then their items by this index.
create index item_of_crm on item (tenant_id, crm_id) where crm_id is not null;
