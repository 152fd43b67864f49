-- Fields of every type: unique ones, several values, money, what is worked out from other values.

alter table field
  add column "unique"    boolean not null default false,
  add column multiple    boolean not null default false,
  add column currency    text not null default '',
  add column "precision" numeric,
  add column formula     text not null default '',
  add column rollup      jsonb not null default '{}',
  add column help        text not null default '';

-- Under row level security an index serves only comparisons that are leakproof. Those of numeric are not, those of
-- doubles are; and values come as JSON numbers, so nothing of them is lost. Each index ends with the item, so that it
-- answers a condition by itself and gives the order of a sorted list, ties included.
drop index item_value_text, item_value_number, item_value_instant, item_value_date, item_value_id;
alter table item_value alter column number_value type double precision;
create index item_value_text on item_value (tenant_id, field_id, text_value, item_id) where text_value is not null;
create index item_value_number on item_value (tenant_id, field_id, number_value, item_id) where number_value is not null;
create index item_value_instant on item_value (tenant_id, field_id, instant_value, item_id) where instant_value is not null;
create index item_value_date on item_value (tenant_id, field_id, date_value, item_id) where date_value is not null;
create index item_value_id on item_value (tenant_id, field_id, id_value, item_id) where id_value is not null;
create statistics item_value_fields (ndistinct, dependencies) on tenant_id, field_id from item_value;
