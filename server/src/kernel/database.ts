import pg from 'pg'
import type { Caller } from './access.ts'
import { type Context, type ContextOptions, type Run, type Services, strictServices } from './context.ts'
import type { Id } from './id.ts'
import { endPool, openPool, type PoolOptions } from './postgres/connection-pool.ts'
import { loginUrl } from './postgres/service-login.ts'
import { type Admission, single, transaction, type Written } from './postgres/transaction.ts'
import { render, sql } from './sql.ts'

interface DatabaseOptions extends PoolOptions {
  poolSize: number
  /** The number of requests that may wait for a connection before others are refused with 503. */
  queueSize: number
  /** Shares the connections between tenants. */
  admission?: Admission
  /** Settings of PostgreSQL for the cross-tenant statements. */
  crossTenantSettings?: object
}

/** Opens the pools: logins of `gantry_app` for the records of one tenant at a time, of `gantry_door` for statements across tenants. */
export function openDatabase(options: DatabaseOptions, written: Written = new Set()): Database {
  const { poolSize, queueSize, admission } = options
  const pool = openPool(options, 'gantry_app', poolSize)
  const apartPool = openPool(options, 'gantry_app', 2)
  const crossTenantPool = openPool(
    options,
    'gantry_door',
    Math.max(2, Math.ceil(poolSize / 4)),
    options.crossTenantSettings,
  )
  // For signing in, the tables of the installation and its jobs, which belong to no tenant.
  const crossTenantSql: Run = async (strings, ...values) => {
    const { rows } = await crossTenantPool.query(render(sql(strings, ...values)))
    return rows
  }

  function serving(given: Partial<Services>): Database {
    const services = strictServices(given)
    const source = { pool, apartPool, queueSize, admission, crossTenantSql, services, written }
    return {
      single: (caller, work, more = {}) => single(source, pool, caller, work, more),
      transaction: (caller, work, more = {}) => transaction(source, caller, work, more),
      crossTenantSql,
      services,
      serving: more => serving({ ...given, ...more }),
      onWritten(notify) {
        written.add(notify)
        return () => void written.delete(notify)
      },
      client: more => new pg.Client({ ...more, connectionString: loginUrl(options.url, 'gantry_door') }),
      stats: () => ({
        total: pool.totalCount,
        idle: pool.idleCount,
        waiting: admission?.waiting() ?? pool.waitingCount,
      }),
      async close() {
        await Promise.all([pool, apartPool, crossTenantPool].map(endPool))
      },
    }
  }

  return serving({})
}

export interface Database {
  /** Runs statements that each commit by themselves, in one round trip each: reads, and writes of one statement. */
  single<T>(caller: Caller, work: (ctx: Context) => Promise<T>, more?: ContextOptions): Promise<T>
  /** Runs one transaction; it is repeated after a deadlock or a serialization failure, so `work` may run several times. */
  transaction<T>(caller: Caller, work: (ctx: Context) => Promise<T>, more?: ContextOptions): Promise<T>
  crossTenantSql: Run
  services: Services
  /** Returns a database on the same pools whose contexts have these services as well. */
  serving(services: Partial<Services>): Database
  /** Calls back with each tenant for which this process commits events; returns the function that ends it. */
  onWritten(notify: (tenantId: Id) => void): () => void
  /** A connection outside of the pools, for statements across tenants; the caller opens and closes it. */
  client(more: pg.ClientConfig): pg.Client
  stats(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}
