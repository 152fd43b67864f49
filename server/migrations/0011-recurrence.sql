-- Work that comes again. One rule an item; `next_at` is when there is something to do.
create table item_recurrence (
  tenant_id  uuid not null,
  item_id    uuid not null,
  rule       text not null,
  mode       integer not null default 0,
  day        date not null,
  at         text not null default '00:00',
  timezone   text not null,
  owner_id   uuid not null,
  next_at    timestamptz,
  last_at    timestamptz,
  made       integer not null default 0,
  last_error text not null default '',
  primary key (tenant_id, item_id),
  foreign key (tenant_id, item_id) references item (tenant_id, id)
);
call wall('item_recurrence');
create index item_recurrence_due on item_recurrence (next_at) where next_at is not null;

-- Which tenants have something due is asked across all of them.
grant select (tenant_id, item_id, next_at) on item_recurrence to gantry_door;
create policy door on item_recurrence for select to gantry_door using (true);
