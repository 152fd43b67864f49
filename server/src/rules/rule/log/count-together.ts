import { openTenantBatches } from '../../../engine/tenant-batches.ts'
import type { Id } from '../../../kernel/id.ts'
import type { LogEntry } from './log.ts'

const countBatch = openTenantBatches<readonly LogEntry[], 'counted'>(Number.POSITIVE_INFINITY)

/**
 * Counts outcomes after the commit, those of many runs together. A run that counted in its own transaction would lock the
 * counters of the rule until its commit is on disk, and all other runs of that rule would wait for it in turn. A crash
 * between the two loses the count and never the log.
 */
export async function countTogether(
  tenantId: Id,
  entries: readonly LogEntry[],
  count: (entries: readonly LogEntry[]) => Promise<void>,
): Promise<void> {
  if (entries.length === 0) return
  await countBatch(tenantId, entries, async all => {
    await count(all.flat()).catch(() => {}) // like the counts of rules before the commit, for which nobody waits
    return all.map(() => 'counted')
  })
}
