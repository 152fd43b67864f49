import { tenantIds } from '../../engine/recurring-jobs/housekeeping.ts'
import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Database } from '../../kernel/database.ts'

const day = 86_400_000

/** How long suggestions and what came of them are kept: two years can be compared. */
const keptDays = 800

/** Rows per statement: few enough that no statement holds its locks for long. */
const batch = 1000

/** Deletes old suggestions, with what was read. */
export function forgetSuggestions(database: Database, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'forget-suggestions',
    every: day / 4,
    async run(signal) {
      const before = new Date(now().getTime() - keptDays * day)
      for await (const tenantId of tenantIds(database)) {
        let removed = batch
        while (removed === batch) {
          signal.throwIfAborted()
          const rows = await database.single(
            tenantCaller(tenantId),
            ctx => ctx.sql`delete from suggestion where tenant_id = ${tenantId} and id in (
              select id from suggestion where tenant_id = ${tenantId} and begun < ${before} order by begun limit ${batch}) returning true`,
          )
          removed = rows.length
        }
      }
    },
  }
}
