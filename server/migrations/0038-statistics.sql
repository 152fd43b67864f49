-- The planner knows nothing of rows that came in bulk until autovacuum has looked at them, up to a minute later and more, and
-- takes plans that do not end. Only the owner of a table may analyse it, so a function of the owner does: the table that changed
-- most since its last analysis, if that is a fifth of it. Returns its name, or nothing.
create function refresh_statistics() returns text language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare changed text;
begin
  select c.relname into changed from pg_class c join pg_stat_user_tables s on s.relid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and s.n_mod_since_analyze > greatest(500, 0.2 * greatest(c.reltuples, 0))
    order by s.n_mod_since_analyze desc limit 1;
  if changed is not null then
    execute format('analyze %I', changed);
  end if;
  return changed;
end $$;
revoke all on function refresh_statistics from public;
grant execute on function refresh_statistics to gantry_door;
