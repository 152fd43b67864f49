-- Who reads a document beside its restrictions. What exists is internal: staff read it before.
alter table document add column state integer not null default 1;
-- Requesters list and search these alone.
create index document_public on document (tenant_id, id) where state = 2 and not deleted;
