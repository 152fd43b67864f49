import type { Id } from '../../../kernel/id.ts'
import type { LogEntry } from './log.ts'

/** The entries of a tenant that wait for the counting under way, and their own counting. */
interface Batch {
  readonly entries: LogEntry[]
  counted: Promise<void>
}

const collecting = new Map<Id, Batch>()
const last = new Map<Id, Promise<void>>()

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
  const open = collecting.get(tenantId)
  if (open) {
    open.entries.push(...entries)
    return await open.counted
  }
  const batch: Batch = { entries: [...entries], counted: Promise.resolve() }
  collecting.set(tenantId, batch)
  batch.counted = afterLast(tenantId, async () => {
    collecting.delete(tenantId)
    await count(batch.entries).catch(() => {}) // like the counts of rules before the commit, for which nobody waits
  })
  await batch.counted
}

/** Runs the work after the one before of the same tenant. */
function afterLast(tenantId: Id, work: () => Promise<void>): Promise<void> {
  const before = last.get(tenantId) ?? Promise.resolve()
  const mine = before.then(work).finally(() => {
    if (last.get(tenantId) === mine) last.delete(tenantId)
  })
  last.set(tenantId, mine)
  return mine
}
