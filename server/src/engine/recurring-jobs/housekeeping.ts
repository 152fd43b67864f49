import { forgetUnusableSessions } from '../../identity/session/session.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { tenantStatus } from '../../kernel/access.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import type { RecurringJob } from './recurring-jobs.ts'

const minute = 60_000
const hour = 60 * minute

/** How long an `Idempotency-Key` is kept; ms. */
const remembered = 24 * hour

/** Rows per statement: few enough that no statement holds its locks for long. */
const batch = 1000

/** The jobs that delete what the kernel keeps for a limited time only. */
export function housekeeping(database: Database, now: () => Date = () => new Date()): RecurringJob[] {
  return [
    { name: 'forget-idempotency', every: hour, run: signal => forgetIdempotency(database, now(), signal) },
    { name: 'forget-sessions', every: hour, run: signal => forgetSessions(database, now(), signal) },
    { name: 'forget-oauth', every: 10 * minute, run: signal => forgetOauth(database, now(), signal) },
  ]
}

/** Deletes tenant by tenant, because row level security applies to the service as well. */
async function forgetIdempotency(database: Database, now: Date, signal: AbortSignal): Promise<void> {
  const before = new Date(now.getTime() - remembered)
  for await (const tenantId of tenantIds(database)) {
    await inBatches(signal, () =>
      database.single(
        tenantCaller(tenantId),
        ctx => ctx.sql`delete from idempotency where tenant_id = ${tenantId} and (principal_id, route, key) in (
          select principal_id, route, key from idempotency where tenant_id = ${tenantId} and at < ${before} limit ${batch}) returning true`,
      ),
    )
  }
}

async function forgetSessions(database: Database, now: Date, signal: AbortSignal): Promise<void> {
  for await (const tenantId of tenantIds(database))
    await inBatches(signal, () =>
      database.single(tenantCaller(tenantId), ctx => forgetUnusableSessions(ctx, now, batch)),
    )
}

async function forgetOauth(database: Database, now: Date, signal: AbortSignal): Promise<void> {
  await inBatches(
    signal,
    () => database.crossTenantSql`delete from oauth where (kind, id) in (
      select kind, id from oauth where expires_at < ${now} order by expires_at limit ${batch}) returning true`,
  )
}

async function inBatches(signal: AbortSignal, remove: () => Promise<unknown[]>): Promise<void> {
  do signal.throwIfAborted()
  while ((await remove()).length === batch)
}

/**
 * Yields all tenants, including the deleted ones, whose leftovers expire like those of others; or only the tenants in
 * which jobs and rules run.
 */
export async function* tenantIds({ crossTenantSql }: Database, which: 'all' | 'active' = 'all'): AsyncGenerator<Id> {
  let last: Id | undefined
  do {
    const tenants = await crossTenantSql<{
      id: Id
    }>`select id from tenant where (${last ?? null}::uuid is null or id > ${last ?? null}::uuid)
        and (${which} = 'all' or status = ${tenantStatus.active} and not deleted) order by id limit ${batch}`
    yield* tenants.map(({ id }) => id)
    last = tenants.at(-1)?.id
  } while (last)
}
