import type { Writable } from 'node:stream'
import pg from 'pg'
import type { Caller } from './access.ts'
import {
  type Context,
  type ContextOptions,
  type Run,
  type Services,
  strictServices,
  type Transaction,
  TransactionContext,
  tenantLiteral,
} from './context.ts'
import type { Id } from './id.ts'
import { type Heard, listen } from './listen.ts'
import { Unavailable } from './refusal.ts'
import { render, type Sql, sql } from './sql.ts'

export interface DatabaseOptions {
  url: string
  poolSize: number
  /** How many requests may wait for a connection before the rest are sent away with 503. */
  queueSize: number
  statementTimeout: number
  /** How long a connection that nobody needs is kept, ms. */
  idleTimeout?: number
  /** How long one is waited for before whoever asks is sent away, ms. */
  connectTimeout?: number
  /** The door works on a queue: its rows come and go faster than statistics do, so PostgreSQL goes by its indexes alone. */
  queue?: boolean
}

/** Whoever wants to know for which tenants events were committed; shared by those that have pools of their own. */
export type Written = Set<(tenantId: Id) => void>

// Whole numbers fit; days stay texts, because a day is in nobody's zone.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, text => text)

/** A connection that remembers for which tenant its session speaks, so that the common case sets nothing anew. */
type Connection = pg.PoolClient & { tenant?: Id }

/** Opens the pools: `gantry_app` for the tenants' records behind both walls, `gantry_door` for statements across tenants. */
export function openDatabase(options: DatabaseOptions, written: Written = new Set()): Database {
  const app = pool(options, 'gantry_app', options.poolSize)
  // Apart from the others, because whoever needs one already holds one of those.
  const aside = pool(options, 'gantry_app', 2)
  const door = pool(options, 'gantry_door', Math.max(2, Math.ceil(options.poolSize / 4)), options.queue ? queueing : {})
  const pools: Pools = { app, aside, queueSize: options.queueSize }
  /** Signing in, the installation's own tables and its jobs: statements before or beside any tenant. */
  const crossTenantSql: Run = async (strings, ...values) => {
    const { rows } = await door.query(render(sql(strings, ...values)))
    return rows
  }

  function serving(given: Partial<Services>): Database {
    const open = { pools, crossTenantSql, services: strictServices(given), written }
    return {
      single: (caller, work, more = {}) => single(open, app, caller, work, more),
      transaction: (caller, work, more = {}) => transaction(open, caller, work, more),
      crossTenantSql,
      services: open.services,
      serving: more => serving({ ...given, ...more }),
      onWritten(tell) {
        written.add(tell)
        return () => void written.delete(tell)
      },
      listen: (channel, hear) => listen(options.url, channel, hear),
      stats: () => ({ total: app.totalCount, idle: app.idleCount, waiting: app.waitingCount }),
      async close() {
        await Promise.all([app.end(), aside.end(), door.end()])
      },
    }
  }

  return serving({})
}

export interface Database {
  /** Statements that each commit by themselves: reads, and writes that are one statement. One round trip apiece. */
  single<T>(caller: Caller, work: (ctx: Context) => Promise<T>, more?: ContextOptions): Promise<T>
  /** All or nothing. Tried again when PostgreSQL asks for it: a deadlock or a failed serialisation did nothing. */
  transaction<T>(caller: Caller, work: (ctx: Context) => Promise<T>, more?: ContextOptions): Promise<T>
  crossTenantSql: Run
  services: Services
  /** The same pools, whose contexts carry these services too. */
  serving(services: Partial<Services>): Database
  /** Tells for which tenants events were committed by this process; returns how to stop it. */
  onWritten(tell: (tenantId: Id) => void): () => void
  /** Hears what others say on a channel, on a connection of its own. */
  listen(channel: string, hear: (message: string) => void): Heard
  stats(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

interface Pools {
  app: pg.Pool
  aside: pg.Pool
  queueSize: number
}

interface Open {
  pools: Pools
  crossTenantSql: Run
  services: Services
  written: Written
}

async function single<T>(
  open: Open,
  from: pg.Pool,
  caller: Caller,
  work: (ctx: Context) => Promise<T>,
  more: ContextOptions,
): Promise<T> {
  const connection = await connect(open, from)
  let broken: unknown
  try {
    if (connection.tenant !== caller.tenantId) {
      connection.tenant = caller.tenantId
      // Sent ahead in the same packet as the first statement; should it fail, so does the statement's policy.
      connection.query(`set app.tenant = '${tenantLiteral(caller)}'`).catch(error => {
        broken = error
      })
    }
    const begun = begin(open, connection, undefined)
    const result = await work(new TransactionContext(begun, caller, more))
    await tellCommitted(open, begun)
    return result
  } catch (error) {
    if (isConnectionFault(error)) broken = error
    throw error
  } finally {
    connection.release(broken !== undefined)
  }
}

async function transaction<T>(
  open: Open,
  caller: Caller,
  work: (ctx: Context) => Promise<T>,
  more: ContextOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptTransaction(open, caller, work, more)
    } catch (error) {
      if (attempt >= 3 || !['40001', '40P01'].includes(sqlState(error))) throw error
      await new Promise(resolve => setTimeout(resolve, Math.random() * 50 * attempt))
    }
  }
}

async function attemptTransaction<T>(
  open: Open,
  caller: Caller,
  work: (ctx: Context) => Promise<T>,
  more: ContextOptions,
): Promise<T> {
  const connection = await connect(open, open.pools.app)
  let broken: unknown
  try {
    const started = connection.query(`begin; set local app.tenant = '${tenantLiteral(caller)}'`)
    started.catch(() => {}) // awaited with the commit; the first statement fails by itself
    const begun = begin(open, connection, inner => single(open, open.pools.aside, caller, inner, more))
    const result = await work(new TransactionContext(begun, caller, more))
    await started
    await connection.query('commit')
    await tellCommitted(open, begun)
    return result
  } catch (error) {
    if (isConnectionFault(error)) broken = error
    else
      await connection.query('rollback').catch(rollbackError => {
        broken = rollbackError
      })
    throw error
  } finally {
    connection.release(broken !== undefined)
  }
}

async function connect({ pools }: Open, from: pg.Pool): Promise<Connection> {
  if (from.waitingCount >= pools.queueSize) throw new Unavailable()
  return await from.connect()
}

function begin(
  { crossTenantSql, services }: Open,
  connection: Connection,
  apart: Context['apart'] | undefined,
): Transaction {
  return { run: runOn(connection), crossTenantSql, services, apart, afterCommit: [], written: new Set() }
}

async function tellCommitted({ written }: Open, { afterCommit, written: tenants }: Transaction): Promise<void> {
  for (const tenantId of tenants) for (const tell of written) tell(tenantId)
  if (afterCommit.length > 0) await Promise.all(afterCommit.map(each => each()))
}

/**
 * Only ways through an index. And nobody waits for the disk: what the queue forgets when the database dies is its own last
 * moments, never the beginning without the end, and it does again what it has forgotten.
 */
const queueing = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  synchronous_commit: 'off',
}

function pool(
  { url, statementTimeout, idleTimeout = 60_000, connectTimeout = 5000 }: DatabaseOptions,
  role: string,
  max: number,
  more: object = {},
): pg.Pool {
  const settings = {
    ...more,
    role,
    timezone: 'UTC',
    statement_timeout: statementTimeout,
    lock_timeout: Math.min(2000, statementTimeout),
    idle_in_transaction_session_timeout: 15_000,
  }
  const made = new pg.Pool({
    connectionString: url,
    max,
    pipeline: true,
    connectionTimeoutMillis: connectTimeout,
    idleTimeoutMillis: idleTimeout,
    options: Object.entries(settings)
      .map(([setting, value]) => `-c ${setting}=${value}`)
      .join(' '),
  } as pg.PoolConfig)
  made.on('error', () => {}) // an idle connection died with its server; the pool makes another
  made.on('connect', client => client.on('error', () => {})) // one in use reports through its statement
  return made
}

function runOn(connection: pg.PoolClient): Run {
  return async (strings, ...values) => {
    const piece = strings.length === 2 && strings[0] === '' && strings[1] === '' ? values[0] : undefined
    const statement = render((piece as Sql | undefined) ?? sql(strings, ...values))
    const { rows } = await inOnePacket(connection, () => connection.query(statement))
    return rows
  }
}

/**
 * The driver sends a statement as four messages. Left alone, the first travels by itself: two system calls here, and a
 * server that wakes up twice. Held back until all are written, they are one.
 */
function inOnePacket<T>(connection: pg.PoolClient, send: () => T): T {
  const { stream } = (connection as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}

export function sqlState(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

/** The server is gone, going or full: nothing is wrong with the request. */
export function isConnectionFault(error: unknown): boolean {
  const state = sqlState(error)
  if (/^(08|57P|53)/.test(state) || /^E[A-Z]+$/.test(state)) return true
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/.test(
      error.message,
    )
  )
}
