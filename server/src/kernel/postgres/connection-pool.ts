import type { Writable } from 'node:stream'
import pg from 'pg'
import type { Run } from '../context.ts'
import type { Id } from '../id.ts'
import { ownTenant, render, type Sql, sql, statementNames } from '../sql.ts'
import { loginUrl, type ServiceRole } from './service-login.ts'

export interface PoolOptions {
  /** The URL of the owner; the logins of the service are derived from it. */
  url: string
  statementTimeout: number
  /** The time in ms after which an unused connection is closed. */
  idleTimeout?: number
  /** The time in ms that a request waits for a connection. */
  connectTimeout?: number
  /** The time in ms that a statement waits for a lock. */
  lockTimeout?: number
  /** The time in ms that a transaction may wait for its next statement. */
  transactionIdleTimeout?: number
}

// 64-bit integers in use are exact as numbers. A date stays a text, because it has no time zone.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, text => text)

/** A connection that knows the settings of its session, so that they are sent only when they change. */
export type Connection = pg.PoolClient & { tenant?: Id; plansOnce?: boolean; namesGeneration?: number }

/** Opens a pool whose sessions are logins of this role. */
export function openPool(
  {
    url,
    statementTimeout,
    idleTimeout = 60_000,
    connectTimeout = 5000,
    lockTimeout = 2000,
    transactionIdleTimeout = 15_000,
  }: PoolOptions,
  role: ServiceRole,
  max: number,
  more: object = {},
): pg.Pool {
  const settings = {
    ...more,
    timezone: 'UTC',
    max_parallel_workers_per_gather: 0, // one slow statement must not take several cores from other tenants
    jit: 'off', // compiling takes longer than most statements, whatever the planner expects of them
    statement_timeout: statementTimeout,
    lock_timeout: Math.min(lockTimeout, statementTimeout),
    idle_in_transaction_session_timeout: transactionIdleTimeout,
  }
  const pool = new pg.Pool({
    connectionString: loginUrl(url, role),
    max,
    pipeline: true,
    connectionTimeoutMillis: connectTimeout,
    idleTimeoutMillis: idleTimeout,
    options: Object.entries(settings)
      .map(([setting, value]) => `-c ${setting}=${value}`)
      .join(' '),
  } as pg.PoolConfig)
  pool.on('error', () => {}) // an idle connection has failed; the pool opens another
  pool.on('connect', (client: Connection) => {
    client.namesGeneration = statementNames.generation
    client.on('error', () => {}) // a connection in use fails through its statement
  })
  return pool
}

/** Returns a connection to its pool, which closes one that is broken or holds plans of statements that have no name any more. */
export function release(connection: Connection, broken: boolean): void {
  connection.release(broken || connection.namesGeneration !== statementNames.generation)
}

/** Ends a pool once nobody waits for a connection, because it never answers those who wait when it ends. */
export async function endPool(pool: pg.Pool): Promise<void> {
  while (pool.waitingCount > 0) await new Promise(later => setTimeout(later, 10))
  await pool.end()
}

/** Returns the function that runs statements on a connection, each for the tenant of that moment; in a transaction, which may be rolled back, no setting changes. */
export function runOn(connection: Connection, tenant: { id: Id }, inTransaction: boolean): Run {
  return async (strings, ...values) => {
    const whole = strings.length === 2 && strings[0] === '' && strings[1] === '' ? values[0] : undefined
    const piece = (whole as Sql | undefined) ?? sql(strings, ...values)
    const statement = render(piece)
    const tenantAt = statement.values.indexOf(ownTenant)
    if (tenantAt >= 0) statement.values[tenantAt] = tenant.id
    if (!inTransaction) planOnce(connection, piece.planned === 'once')
    const { rows } = await send(connection, statement)
    return rows
  }
}

/** Left to itself, PostgreSQL compares costs that it has estimated, and may plan a page each time for longer than it takes to read it. */
function planOnce(connection: Connection, once: boolean): void {
  if ((connection.plansOnce ?? false) === once) return
  connection.plansOnce = once
  // Not awaited, so that it travels with the statement, which fails as well if the connection is lost.
  send(connection, once ? 'set plan_cache_mode = force_generic_plan' : 'reset plan_cache_mode').catch(() => {})
}

/** The driver sends a statement as four messages. They are corked until this turn ends: statements that are sent together are one packet. */
export function send(connection: pg.PoolClient, statement: string | pg.QueryConfig): Promise<pg.QueryResult> {
  const { stream } = (connection as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  try {
    return connection.query(statement)
  } finally {
    process.nextTick(() => stream.uncork())
  }
}
