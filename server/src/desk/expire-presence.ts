import type { RecurringJob } from '../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../identity/tenant-caller.ts'
import type { Database } from '../kernel/database.ts'
import type { Id } from '../kernel/id.ts'
import { presenceTimeout, tellPresence } from './presence.ts'

const batch = 1000

interface Expired {
  tenantId: Id
  itemId: Id
  userId: Id
}

/** Tells the others that a user is gone whose client no longer reports it. */
export function expirePresence(database: Database, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'expire-presence',
    every: 10_000,
    async run(signal) {
      const before = new Date(now().getTime() - presenceTimeout)
      for (;;) {
        signal.throwIfAborted()
        const expired = await database.crossTenantSql<Expired>`
          select tenant_id as "tenantId", item_id as "itemId", user_id as "userId" from presence where seen < ${before} limit ${batch}`
        for (const each of expired) await expire(database, each, before)
        if (expired.length < batch) return
      }
    },
  }
}

async function expire(database: Database, { tenantId, itemId, userId }: Expired, before: Date): Promise<void> {
  const gone = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql`delete from presence
      where tenant_id = ${tenantId} and item_id = ${itemId} and user_id = ${userId} and seen < ${before} returning true`,
  )
  if (gone.length > 0) tellPresence(tenantId, { itemId, userId, state: null })
}
