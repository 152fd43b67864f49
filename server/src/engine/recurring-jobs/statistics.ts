import type { Database } from '../../kernel/database.ts'
import type { RecurringJob } from './recurring-jobs.ts'

/** Tells the planner of rows that came in bulk, sooner than PostgreSQL does by itself. */
export function refreshStatistics({ crossTenantSql }: Database): RecurringJob {
  return {
    name: 'refresh-statistics',
    every: 10_000,
    async run(signal) {
      const done = new Set<string>()
      for (;;) {
        signal.throwIfAborted()
        const [row] = await crossTenantSql<{ table: string | null }>`select refresh_statistics() as table`
        // A table comes again if the figures of the server are late.
        if (!row?.table || done.has(row.table)) return
        done.add(row.table)
      }
    },
  }
}
