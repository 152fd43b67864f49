import type { ChangeSetEvent } from '../../engine/undo/reversal.ts'
import type { Context } from '../../kernel/context.ts'
import { merge, unmerge } from './merge.ts'

/** Undoes merges and unmerges by their counterparts, because the recorded changes do not contain the moved records. */
export async function undoMerges(ctx: Context, events: readonly ChangeSetEvent[]): Promise<[] | undefined> {
  const merged = events.filter(each => each.kind === 'item.merged' && each.changes.mergedInto !== undefined)
  const unmerged = events.filter(each => each.kind === 'item.unmerged' && each.changes.mergedInto !== undefined)
  for (const { recordId } of merged.toReversed()) await unmerge(ctx, recordId)
  for (const { recordId, changes } of unmerged.toReversed())
    await merge(ctx, recordId, String(changes.mergedInto?.from))
  return merged.length + unmerged.length > 0 ? [] : undefined
}
