-- Whoever imports items asks for them at once, before a job can look at the tables. The sizes of the tables say how far they
-- have grown since they were analysed; the counters of changes come late. Statistics are worth no refusal: a table that
-- somebody else analyses, or that takes too long, is left to the job.
create function learn_growth() returns void language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare grown regclass;
begin
  for grown in select c.oid::regclass from pg_class c
    where c.oid = any(array['item', 'item_value', 'item_label', 'item_assignee']::regclass[])
      and pg_relation_size(c.oid) / current_setting('block_size')::int > 1.2 * c.relpages + 4
  loop
    execute format('analyze %s', grown);
  end loop;
exception when lock_not_available or query_canceled then
  null;
end $$;
revoke all on function learn_growth from public;
grant execute on function learn_growth to gantry_app;
