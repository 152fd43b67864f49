-- The whole record of an item: its place in an order, what became of it, and the keys it had before.

alter table item
  add column rank        text collate "C" not null default '',
  add column severity    integer not null default 0,
  add column resolution  text not null default '',
  add column resolved_at timestamptz,
  add column progress    integer not null default 0,
  add column cycle_id    uuid,
  add column merged_into uuid;

-- Where items stand that nobody has ranked: in the order of their making. See items/item/rank.ts for the notation.
create function base62(value bigint, places int) returns text language sql immutable as $$
  select string_agg(substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (value / (62 ^ p)::bigint % 62)::int + 1, 1), '' order by p desc)
  from generate_series(0, places - 1) p $$;
alter table item no force row level security;
update item set rank = 'g' || base62((extract(epoch from created) * 1000)::bigint, 7) || base62(number, 3) || 'V', resolved_at = closed_at;
alter table item force row level security;
drop function base62;

create index item_by_rank on item (tenant_id, container_id, rank, id) where not deleted;
create index item_of_cycle on item (tenant_id, cycle_id) where cycle_id is not null;
create index item_merged_into on item (tenant_id, merged_into) where merged_into is not null;

-- The keys an item had in containers it has left. They lead to it for ever.
create table item_key (
  tenant_id uuid not null,
  key       text not null,
  item_id   uuid not null,
  primary key (tenant_id, key),
  foreign key (tenant_id, item_id) references item (tenant_id, id)
);
call wall('item_key');
