-- Processes have a short name, a word for their items and a place in lists; their items are found when a process changes.

alter table process
  add column key       text not null default '',
  add column item_noun text not null default '',
  add column "order"   integer not null default 0;
create unique index process_key_taken on process (tenant_id, key) where key <> '' and not deleted;

create index item_of_process on item (tenant_id, process_id, status) where process_id is not null and not deleted;
