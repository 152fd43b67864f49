-- The events of a period. The log is written in the order of time, so the smallest and the largest time of each 32 pages find its
-- pages: a few kilobytes, and nothing to do for an insert. An index with an entry for each event would cost an eighth of its writing.
create index event_at on event using brin (at) with (pages_per_range = 32, autosummarize = on);

-- Pages that retention has emptied get new events, and their old times would remain in the index. Reads the log once; writers
-- do not wait.
create function renew_event_times() returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  pages bigint := pg_relation_size('event') / current_setting('block_size')::bigint;
begin
  for page in 0 .. pages by 32 loop
    perform brin_desummarize_range('event_at', page);
  end loop;
  perform brin_summarize_new_values('event_at');
end $$;
revoke all on function renew_event_times from public;
grant execute on function renew_event_times to gantry_door;
