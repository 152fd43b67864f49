-- Indexes that take less of an item, for the same plans. PostgreSQL splits a full page of these indexes in the middle wherever it is not the last
-- one, so that most of their pages stay half full, and each byte of an entry counts twice.

-- A rank is hardly ever used twice in a container; those that are, are sorted.
drop index item_by_rank, item_open;
create index item_by_rank on item (tenant_id, container_id, rank) where not deleted;
create index item_open on item (tenant_id, container_id, rank) where closed_at is null and not deleted;

-- Open items without a due date are read by their ids, after the others.
drop index item_open_by_due;
create index item_open_by_due on item (tenant_id, container_id, due_date, id)
  where due_date is not null and status_category not in (4, 5) and not deleted;

-- Equal entries are stored once: those of a user and day, whose few entries are sorted; and those of a container and day with the same state and
-- time, which no index with included columns would do.
drop index time_of_user, time_of_container;
create index time_of_user on time (tenant_id, user_id, date) where not deleted;
create index time_of_container on time (tenant_id, container_id, date, state, seconds) where not deleted;

-- Events are added at the end and never change, so their pages need no room.
alter index event_in_order set (fillfactor = 100);
alter index event_pkey set (fillfactor = 100);
