import type { Writable } from 'node:stream'
import pg from 'pg'
import type { Blobs } from '../platform/blobs.ts'
import type { OutboundRules } from '../platform/outbound/outbound.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Caller } from './access.ts'
import { type Id, isId, newId } from './id.ts'
import { type Heard, listen } from './listen.ts'
import { Unavailable } from './refusal.ts'
import { render, type Sql, sql } from './sql.ts'

/** Runs one statement of the open transaction and gives its rows. */
export type Run = <Row = Record<string, unknown>>(strings: TemplateStringsArray, ...values: unknown[]) => Promise<Row[]>

/** Who asks, when, and the open transaction: the first argument of everything that reads or writes. */
export interface Context {
  readonly caller: Caller
  readonly now: Date
  readonly sql: Run
  /** All that one request changes belongs together: the unit of undo, audit and cause. */
  readonly changeSet: Id
  /** Each statement commits by itself: there is no transaction around them. */
  readonly single: boolean
  /** The caller wants unknown codes and parameters refused (`Prefer: handling=strict`). */
  readonly strict: boolean
  /** Seals what is written and never read back. */
  readonly secrets: Secrets
  /** What the operator says about calls to foreign hosts. */
  readonly outbound: OutboundRules
  /** Where bytes are kept. */
  readonly blobs: Blobs
  /** The address that people know us by, without a slash at the end. */
  readonly baseUrl: string
  /** Commits by itself, whatever becomes of the transaction: for what must not be held until its end. */
  readonly apart: <T>(work: (ctx: Context) => Promise<T>) => Promise<T>
  /** What is seen before any tenant is known: a few columns across all of them, by a role that can do nothing else. */
  readonly atDoor: Run
  /** Works for another tenant, behind that one's wall, within this transaction: what operators do, and nobody else. */
  actFor<T>(caller: Caller, work: (ctx: Context) => Promise<T>): Promise<T>
  /** Told when the transaction has committed; never when it has not. */
  afterCommit(work: () => unknown): void
}

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

export type Database = ReturnType<typeof openDatabase>

/** Whoever wants to know for which tenants events were committed; shared by those that have pools of their own. */
export type Written = Set<(tenantId: Id) => void>

// Whole numbers fit; days stay texts, because a day is in nobody's zone.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, text => text)

/** A connection that remembers for which tenant its session speaks, so that the common case sets nothing anew. */
type Connection = pg.PoolClient & { tenant?: Id }

/** Opens the pools: `gantry_app` for the tenants' records behind both walls, `gantry_door` for signing in. */
export function openDatabase(options: DatabaseOptions, written: Written = new Set()) {
  const app = pool(options, 'gantry_app', options.poolSize)
  // Apart from the others, because whoever needs one already holds one of those.
  const aside = pool(options, 'gantry_app', 2)
  const door = pool(options, 'gantry_door', Math.max(2, Math.ceil(options.poolSize / 4)), options.queue ? queueing : {})

  /** Whoever asked for the change set has left an event. */
  function tellWritten(ctx: OpenContext): void {
    if (ctx.leftEvents) for (const tell of written) tell(ctx.caller.tenantId)
  }

  async function connect(from: pg.Pool): Promise<Connection> {
    if (from.waitingCount >= options.queueSize) throw new Unavailable()
    return await from.connect()
  }

  /** Statements that each stand for themselves: reads, and writes that are one statement. One round trip apiece. */
  async function single<T>(
    caller: Caller,
    work: (ctx: Context) => Promise<T>,
    more: ContextOptions = {},
    from = app,
  ): Promise<T> {
    const connection = await connect(from)
    let broken: unknown
    const after: AfterCommit = []
    try {
      if (connection.tenant !== caller.tenantId) {
        connection.tenant = caller.tenantId
        // Sent ahead in the same packet as the first statement; should it fail, so does the statement's policy.
        connection.query(`set app.tenant = '${tenantLiteral(caller)}'`).catch(error => {
          broken = error
        })
      }
      const ctx = new OpenContext(caller, runOn(connection), after, more, undefined, atDoor)
      const result = await work(ctx)
      tellWritten(ctx)
      if (after.length > 0) await Promise.all(after.map(each => each()))
      return result
    } catch (error) {
      if (isConnectionFault(error)) broken = error
      throw error
    } finally {
      connection.release(broken !== undefined)
    }
  }

  /** All or nothing. Tried again when PostgreSQL asks for it: a deadlock or a failed serialisation did nothing. */
  async function transaction<T>(
    caller: Caller,
    work: (ctx: Context) => Promise<T>,
    more: ContextOptions = {},
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await attemptTransaction(caller, work, more)
      } catch (error) {
        if (attempt >= 3 || !['40001', '40P01'].includes(sqlState(error))) throw error
        await new Promise(resolve => setTimeout(resolve, Math.random() * 50 * attempt))
      }
    }
  }

  async function attemptTransaction<T>(
    caller: Caller,
    work: (ctx: Context) => Promise<T>,
    more: ContextOptions,
  ): Promise<T> {
    const connection = await connect(app)
    let broken: unknown
    const after: AfterCommit = []
    try {
      const begun = connection.query(`begin; set local app.tenant = '${tenantLiteral(caller)}'`)
      begun.catch(() => {}) // awaited with the commit; the first statement fails by itself
      const apart: Context['apart'] = inner => single(caller, inner, more, aside)
      const ctx = new OpenContext(caller, runOn(connection), after, more, apart, atDoor)
      const result = await work(ctx)
      await begun
      await connection.query('commit')
      tellWritten(ctx)
      if (after.length > 0) await Promise.all(after.map(each => each()))
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

  /** Signing in, the installation's own tables and its jobs: statements before or beside any tenant. */
  const atDoor: Run = async (strings, ...values) => {
    const { rows } = await door.query(render(sql(strings, ...values)))
    return rows
  }

  return {
    single,
    transaction,
    atDoor,
    /** Tells for which tenants events were committed by this process; returns how to stop it. */
    onWritten(tell: (tenantId: Id) => void): () => void {
      written.add(tell)
      return () => void written.delete(tell)
    },
    /** Hears what others say on a channel, on a connection of its own. */
    listen: (channel: string, hear: (message: string) => void): Heard => listen(options.url, channel, hear),
    stats: () => ({ total: app.totalCount, idle: app.idleCount, waiting: app.waitingCount }),
    async close() {
      await Promise.all([app.end(), aside.end(), door.end()])
    },
  }
}

type AfterCommit = (() => unknown)[]

export interface ContextOptions {
  now?: Date
  strict?: boolean
  changeSet?: Id
  secrets?: Secrets | undefined
  outbound?: OutboundRules | undefined
  blobs?: Blobs | undefined
  baseUrl?: string | undefined
}

/** What one request works with. A class, because one is made for every request and shares its methods with all others. */
class OpenContext implements Context {
  readonly caller: Caller
  readonly now: Date
  readonly sql: Run
  readonly strict: boolean
  readonly single: boolean
  readonly outbound: OutboundRules
  readonly apart: Context['apart']
  readonly atDoor: Run
  readonly #after: AfterCommit
  readonly #more: ContextOptions
  #changeSet: Id | undefined
  leftEvents = false

  constructor(
    caller: Caller,
    run: Run,
    after: AfterCommit,
    more: ContextOptions,
    apart: Context['apart'] | undefined,
    atDoor: Run,
  ) {
    this.caller = caller
    this.now = more.now ?? new Date()
    this.sql = run
    this.strict = more.strict ?? false
    this.single = apart === undefined
    this.apart = apart ?? (work => work(this))
    this.outbound = more.outbound ?? {}
    this.atDoor = atDoor
    this.#after = after
    this.#more = more
    this.#changeSet = more.changeSet
  }

  get changeSet(): Id {
    this.leftEvents = true
    this.#changeSet ??= newId()
    return this.#changeSet
  }

  get secrets(): Secrets {
    if (!this.#more.secrets) throw new Error('this context was opened without the means to seal a secret')
    return this.#more.secrets
  }

  get blobs(): Blobs {
    if (!this.#more.blobs) throw new Error('this context was opened without a place for bytes')
    return this.#more.blobs
  }

  get baseUrl(): string {
    return this.#more.baseUrl ?? ''
  }

  afterCommit(work: () => unknown): void {
    this.#after.push(work)
  }

  async actFor<T>(caller: Caller, work: (ctx: Context) => Promise<T>): Promise<T> {
    if (this.single) throw new Error('another tenant is worked for within a transaction only')
    const speakFor = (tenantId: Id) => this.sql`select set_config('app.tenant', ${tenantId}, true)`
    await speakFor(tenantLiteral(caller))
    try {
      const more = { ...this.#more, now: this.now, changeSet: this.changeSet }
      return await work(new OpenContext(caller, this.sql, this.#after, more, this.apart, this.atDoor))
    } finally {
      await speakFor(this.caller.tenantId).catch(() => {}) // a transaction that has failed speaks for nobody
    }
  }
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

/** The one value that ever becomes part of a statement's text, because `set` takes no bound values. */
function tenantLiteral({ tenantId }: Caller): string {
  if (!isId(tenantId)) throw new Error('a caller without a tenant')
  return tenantId
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
