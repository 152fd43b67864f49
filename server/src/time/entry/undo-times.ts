import type { Undoer } from '../../engine/undo/undo.ts'
import { undoRecords } from '../../engine/undo/undo-records.ts'

/** Undoes changes of time entries. Events from before lengths were counted in seconds name minutes only. */
export const undoTimes: Undoer = async (ctx, given, undo) => {
  for (const { properties } of given) {
    const minutes = properties.get('minutes')
    if (minutes && !properties.has('seconds'))
      properties.set('seconds', { from: Number(minutes.from) * 60, to: Number(minutes.to) * 60 })
  }
  return await undoRecords(ctx, given, undo)
}
