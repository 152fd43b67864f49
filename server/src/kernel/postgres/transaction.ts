import type pg from 'pg'
import type { Caller } from '../access.ts'
import {
  type Context,
  type ContextOptions,
  type Run,
  type Services,
  type Transaction,
  TransactionContext,
  tenantLiteral,
} from '../context.ts'
import type { Id } from '../id.ts'
import { Unavailable } from '../refusal.ts'
import { type Connection, release, runOn, send } from './connection-pool.ts'
import { isConnectionFault, sqlState } from './sql-state.ts'

/** The functions to call with the id of a tenant whose events were committed; several databases may share one set. */
export type Written = Set<(tenantId: Id) => void>

/** Decides when a request gets a connection. */
export interface Admission {
  connect(pool: pg.Pool, tenantId: Id, operation: ContextOptions['operation']): Promise<Connection>
  /** How many requests wait. */
  waiting(): number
}

/** What the transactions of one database share. */
interface TransactionSource {
  pool: pg.Pool
  /** For `ctx.apart`: a caller who needs one of these connections already has one of `pool`, which could be used up. */
  apartPool: pg.Pool
  /** The number of requests that may wait for a connection before others are refused with 503. */
  queueSize: number
  /** Without it, connections are given in the order of the requests. */
  admission: Admission | undefined
  crossTenantSql: Run
  services: Services
  written: Written
}

/** Runs statements that each commit by themselves. */
export async function single<T>(
  source: TransactionSource,
  from: pg.Pool,
  caller: Caller,
  work: (ctx: Context) => Promise<T>,
  more: ContextOptions,
): Promise<T> {
  const connection = await connect(source, from, caller, more)
  let broken: unknown
  try {
    if (connection.tenant !== caller.tenantId) {
      connection.tenant = caller.tenantId
      // Not awaited, so that it travels with the first statement; if it fails, row level security refuses that statement.
      send(connection, `set app.tenant = '${tenantLiteral(caller)}'`).catch(error => {
        broken = error
      })
    }
    const begun = begin(source, connection, caller, undefined)
    const result = await work(new TransactionContext(begun, caller, more))
    await notifyCommitted(source, begun)
    return result
  } catch (error) {
    if (isConnectionFault(error)) broken = error
    throw error
  } finally {
    release(connection, broken !== undefined)
  }
}

/** Runs a transaction, and again if it failed by a deadlock or a serialization failure, which leave no effect. */
export async function transaction<T>(
  source: TransactionSource,
  caller: Caller,
  work: (ctx: Context) => Promise<T>,
  more: ContextOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptTransaction(source, caller, work, more)
    } catch (error) {
      if (attempt >= 3 || !['40001', '40P01'].includes(sqlState(error))) throw error
      await new Promise(resolve => setTimeout(resolve, Math.random() * 50 * attempt))
    }
  }
}

async function attemptTransaction<T>(
  source: TransactionSource,
  caller: Caller,
  work: (ctx: Context) => Promise<T>,
  more: ContextOptions,
): Promise<T> {
  const connection = await connect(source, source.pool, caller, more)
  let broken: unknown
  try {
    const planning = connection.plansOnce ? '; set local plan_cache_mode = default' : ''
    const started = send(connection, `begin; set local app.tenant = '${tenantLiteral(caller)}'${planning}`)
    started.catch(() => {}) // awaited before the commit; the first statement fails as well
    const begun = begin(source, connection, caller, inner => single(source, source.apartPool, caller, inner, more))
    const result = await work(new TransactionContext(begun, caller, more))
    await started
    await connection.query('commit')
    await notifyCommitted(source, begun)
    return result
  } catch (error) {
    if (isConnectionFault(error)) broken = error
    else
      await connection.query('rollback').catch(rollbackError => {
        broken = rollbackError
      })
    throw error
  } finally {
    release(connection, broken !== undefined)
  }
}

async function connect(
  { queueSize, admission, pool }: TransactionSource,
  from: pg.Pool,
  { tenantId }: Caller,
  { operation }: ContextOptions,
): Promise<Connection> {
  if (from.waitingCount >= queueSize) throw new Unavailable()
  return await (admission && from === pool ? admission.connect(pool, tenantId, operation) : from.connect())
}

function begin(
  { crossTenantSql, services }: TransactionSource,
  connection: Connection,
  { tenantId }: Caller,
  apart: Context['apart'] | undefined,
): Transaction {
  const tenant = { id: tenantId }
  return {
    tenant,
    run: runOn(connection, tenant, apart !== undefined),
    crossTenantSql,
    services,
    apart,
    afterCommit: [],
    written: new Set(),
  }
}

async function notifyCommitted(
  { written }: TransactionSource,
  { afterCommit, written: tenants }: Transaction,
): Promise<void> {
  for (const tenantId of tenants) for (const notify of written) notify(tenantId)
  if (afterCommit.length > 0) await Promise.all(afterCommit.map(each => each()))
}
