import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import type { RecurringJob } from './recurring-jobs.ts'

const minute = 60_000
const hour = 60 * minute

/** As long as an `Idempotency-Key` is remembered. */
const remembered = 24 * hour

/** Rows at once: few enough that no statement holds anything for long. */
const batch = 1000

/** What the kernel itself keeps for a time only, and then forgets. */
export function housekeeping(database: Database, now: () => Date = () => new Date()): RecurringJob[] {
  return [
    { name: 'forget-idempotency', every: hour, run: signal => forgetIdempotency(database, now(), signal) },
    { name: 'forget-oauth', every: 10 * minute, run: signal => forgetOauth(database, now(), signal) },
  ]
}

/** Tenant by tenant, because the wall between them holds for us as well. */
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

/** All tenants, the deleted ones too: what they left behind ages like everybody's. Or those in which things happen by themselves. */
export async function* tenantIds({ crossTenantSql }: Database, which: 'all' | 'active' = 'all'): AsyncGenerator<Id> {
  let last: Id | undefined
  do {
    const tenants = await crossTenantSql<{
      id: Id
    }>`select id from tenant where (${last ?? null}::uuid is null or id > ${last ?? null}::uuid)
        and (${which} = 'all' or status = 0 and not deleted) order by id limit ${batch}`
    yield* tenants.map(({ id }) => id)
    last = tenants.at(-1)?.id
  } while (last)
}
