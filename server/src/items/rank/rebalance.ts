import { tenantIds } from '../../engine/recurring-jobs/housekeeping.ts'
import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { shortenRanks } from './rank.ts'

const hour = 3_600_000

/** A rank grows each time something is put right beside it. Those that have grown long are shortened before it matters. */
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

/** Containers with ranks that have grown long; hardly ever one. */
async function crowded(database: Database, tenantId: Id): Promise<Id[]> {
  const rows = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql<{ id: Id }>`select distinct container_id as id from item
      where tenant_id = ${tenantId} and not deleted and length(rank) > 32 order by 1 limit 100`,
  )
  return rows.map(row => row.id)
}
