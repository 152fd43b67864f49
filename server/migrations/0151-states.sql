-- States are compared folded. Without statistics of that expression PostgreSQL expects one item in two hundred, and sorts
-- all items of a frequent state instead of reading a page of them in the order of the list.
create statistics item_states on (fold(status)) from item;
do $$ begin
  if pg_relation_size('item') > 0 then analyze item; end if;
end $$;
