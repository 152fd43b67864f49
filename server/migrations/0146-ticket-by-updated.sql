-- The order of the last changes of facets. With that of items, which has an index already, it tells the tickets that changed last.
create index ticket_by_updated on ticket (tenant_id, updated, id);
