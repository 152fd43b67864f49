-- The version that a record has after the change which an event reports, so that whoever holds the version before can apply the
-- changes instead of reading the record. Null for records without versions, and for events from before this column.
alter table event add column version integer;
