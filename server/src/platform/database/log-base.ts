import type pg from 'pg'

/**
 * Raises the base of the log's numbers above all stored ones when the database has come to another server, whose counter
 * of transactions knows nothing of them: after a restore, or an upgrade by logical replication.
 */
export async function ensureLogBase(owner: pg.Client): Promise<boolean> {
  const server = await serverIdentity(owner)
  const { rows } = await owner.query<{ known: string | null; behind: boolean }>(
    `select (select value #>> '{}' from installation where key = 'server') as known,
       exists (select 1 from dispatch where xact > log_settled()) as behind`,
  )
  const isOther = rows[0]?.known !== null && rows[0]?.known !== server
  if (rows[0]?.known === server && !rows[0].behind) return false
  await owner.query('begin')
  const raised = isOther || rows[0]?.behind === true
  if (raised) await raiseBase(owner)
  await owner.query(
    `insert into installation (key, value) values ('server', to_jsonb($1::text)) on conflict (key) do update set value = excluded.value`,
    [server],
  )
  await owner.query('commit')
  return raised
}

/** The number that a server gets when its cluster is created; empty where its provider does not show it. */
async function serverIdentity(owner: pg.Client): Promise<string> {
  const shown = await owner.query<{ yes: boolean }>(
    `select has_function_privilege('pg_control_system()', 'execute') as yes`,
  )
  if (!shown.rows[0]?.yes) return ''
  const { rows } = await owner.query<{ id: string }>('select system_identifier::text as id from pg_control_system()')
  return rows[0]?.id ?? ''
}

async function raiseBase(owner: pg.Client): Promise<void> {
  // Row level security is forced for the owner, who reads the numbers of all tenants here. The changes lock the tables, so
  // no transaction has an event with a number of the old base and is not committed yet.
  const alter = (change: string) =>
    owner.query(`alter table event ${change}; alter table queued_job ${change}; alter table inbox_done ${change}`)
  await alter('no force row level security')
  const { rows } = await owner.query<{ base: string }>(
    `select greatest(log_base(), max(n.xact::text::bigint))::text as base from (
       (select xact from event order by xact desc limit 1) union all (select xact from queued_job order by xact desc limit 1)
       union all (select xact from inbox_done order by xact desc limit 1) union all (select xact from dispatch)) n`,
  )
  await owner.query(
    `create or replace function log_base() returns bigint language sql stable parallel safe as 'select ${rows[0]?.base}::bigint'`,
  )
  await alter('force row level security')
}
