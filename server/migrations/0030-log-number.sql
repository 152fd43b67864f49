-- The number of a transaction in the log is a base plus the counter of the server. A dump is restored into a server whose
-- counter is low, and the events of such a server would lie before all that there are; so a start on another server raises
-- the base above all stored numbers. The base is the body of a function, because every write and every reader of the log
-- needs it: it costs them nothing, and a dump contains it. Numbers below the first base are those of logs from before this
-- migration, and of imported ones, which begin at 1.
create function log_base() returns bigint language sql stable parallel safe as 'select 1000000000000';

-- The number of this transaction.
create function log_number() returns xid8 language sql stable as
$$ select (log_base() + pg_current_xact_id()::text::bigint)::text::xid8 $$;

-- The first number whose transaction may still run: the order of the log is final up to here.
create function log_settled() returns xid8 language sql stable parallel safe as
$$ select (log_base() + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8 $$;

alter table event alter column xact set default log_number();
alter table errand alter column xact set default log_number();
