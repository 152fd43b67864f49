import { type Undoer, undoRecords } from '../../engine/undo/undo.ts'
import { followUndo } from './clock-change.ts'

/**
 * Undoes changes to clocks: the hours that come back count from now on, as after any change. What follows is done when all have
 * come back, because a clock can be a region of another one in the same change set.
 */
export const undoClocks: Undoer = async (ctx, given, undo) => {
  const conflicts = await undoRecords(ctx, given, undo)
  if (conflicts.length === 0) for (const { recordId } of given) await followUndo(ctx, recordId)
  return conflicts
}
