import { type Undoer, undoRecords } from '../../engine/undo/undo.ts'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { watches } from './watch.ts'
import { watchReason } from './watch-codes.ts'

/**
 * Undoes changes of watches. A watch that began by itself, because its user wrote or was mentioned, ends whoever undoes
 * that, and stays if the user has changed it since.
 */
export const undoWatches: Undoer = async (ctx, given, undo) => {
  const system = withSystemAuthority(ctx)
  const others = []
  for (const reversal of given) {
    const watch = reversal.created ? await watches.find(system, reversal.recordId) : undefined
    if (reversal.created && !watch) continue
    if (!watch || watch.reason === watchReason.manual) others.push(reversal)
    else if (watch.version === 1) await watches.remove(system, watch.id)
  }
  return await undoRecords(ctx, others, undo)
}
