-- Lists by properties that few items have read a page in the order of an index of these items; an item without a value takes nothing.
create index item_by_severity on item (tenant_id, severity, id) where severity <> 0 and not deleted and not archived;
create index item_by_resolution on item (tenant_id, resolution, id) where resolution <> '' and not deleted and not archived;
create index item_by_estimate on item (tenant_id, estimate_minutes, id) where estimate_minutes <> 0 and not deleted and not archived;
create index item_by_remaining on item (tenant_id, remaining_minutes, id) where remaining_minutes <> 0 and not deleted and not archived;
create index item_by_progress on item (tenant_id, progress, id) where progress <> 0 and not deleted and not archived;
create index item_by_checklist_done on item (tenant_id, checklist_done, id) where checklist_done <> 0 and not deleted and not archived;
create index item_by_checklist_total on item (tenant_id, checklist_total, id) where checklist_total <> 0 and not deleted and not archived;
create index item_by_resolved_at on item (tenant_id, resolved_at, id) where resolved_at is not null and not deleted and not archived;
create index item_by_start_no_earlier on item (tenant_id, start_no_earlier, id) where start_no_earlier is not null and not deleted and not archived;
