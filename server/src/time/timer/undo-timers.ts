import type { Undoer } from '../../engine/undo/undo.ts'
import { undoRecords } from '../../engine/undo/undo-records.ts'

/** Undoes changes of timers: one that was started is discarded, and one that was stopped runs again. */
export const undoTimers: Undoer = async (ctx, given, undo) => {
  const isStart = (properties: ReadonlyMap<string, { from: unknown }>) =>
    properties.has('startedAt') && properties.get('startedAt')?.from === undefined
  const reversals = given.map(each => (isStart(each.properties) ? { ...each, created: true } : each))
  return await undoRecords(ctx, reversals, undo)
}
