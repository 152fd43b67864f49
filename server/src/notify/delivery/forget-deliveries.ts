import { tenantIds } from '../../engine/recurring-jobs/housekeeping.ts'
import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Database } from '../../kernel/database.ts'

const hour = 3_600_000

/** How long the log of deliveries goes back; ms. */
const kept = 30 * 24 * hour

const batch = 1000

/** Deletes deliveries that are older than a month. */
export function forgetDeliveries(database: Database, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'forget-deliveries',
    every: hour,
    async run(signal) {
      const before = new Date(now().getTime() - kept)
      for await (const tenantId of tenantIds(database)) {
        const forget = () =>
          database.single(
            tenantCaller(tenantId),
            ctx => ctx.sql`delete from delivery where tenant_id = ${tenantId} and id in (
              select id from delivery where tenant_id = ${tenantId} and created < ${before} limit ${batch}) returning true`,
          )
        do signal.throwIfAborted()
        while ((await forget()).length === batch)
      }
    },
  }
}
