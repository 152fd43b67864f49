import { tenantIds } from '../../engine/recurring-jobs/housekeeping.ts'
import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { shortenRanks } from './rank.ts'

const hour = 3_600_000

/** Ranks grow when items are moved beside each other repeatedly. This job shortens the long ones before they reach the limit. */
export function rebalanceRanks(database: Database): RecurringJob {
  return {
    name: 'rebalance-ranks',
    every: hour,
    async run(signal) {
      for await (const tenantId of tenantIds(database, 'active')) {
        for (const containerId of await crowded(database, tenantId)) {
          let more = true
          while (more) {
            signal.throwIfAborted()
            more = await database.transaction(tenantCaller(tenantId), ctx => shortenRanks(ctx, containerId))
          }
        }
      }
    },
  }
}

/** Containers with long ranks; there are rarely any. */
async function crowded(database: Database, tenantId: Id): Promise<Id[]> {
  const rows = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql<{ id: Id }>`select distinct container_id as id from item
      where tenant_id = ${tenantId} and not deleted and length(rank) > 32 order by 1 limit 100`,
  )
  return rows.map(row => row.id)
}
