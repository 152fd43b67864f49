-- How many items have each label, so that a list of labels does not pass an entry for each item. A change of `item_label` appends what it adds and what it takes
-- away, so that no writer waits for another; the number of a label is the sum of its rows, and a job makes one row of them.
create table label_use (
  tenant_id uuid not null,
  label_id  uuid not null,
  items     integer not null
);
create index label_use_of_label on label_use (tenant_id, label_id) include (items);
call wall('label_use');

create function note_label_use() returns trigger language plpgsql as $$
begin
  insert into label_use (tenant_id, label_id, items)
  select c.tenant_id, c.label_id, case tg_op when 'DELETE' then -count(*) else count(*) end from changed c group by c.tenant_id, c.label_id;
  return null;
end $$;
create trigger label_is_used after insert on item_label referencing new table as changed for each statement execute function note_label_use();
create trigger label_is_left after delete on item_label referencing old table as changed for each statement execute function note_label_use();

alter table item_label no force row level security;
alter table label_use no force row level security;
insert into label_use (tenant_id, label_id, items) select l.tenant_id, l.label_id, count(*) from item_label l group by 1, 2;
alter table label_use force row level security;
alter table item_label force row level security;
