import type { Undoer } from '../../engine/undo/undo.ts'
import { undoRecords } from '../../engine/undo/undo-records.ts'
import { closedConflicts } from '../closed/undo-closed.ts'
import { correctionConflicts } from '../correction/undo-corrections.ts'
import { fullDayConflicts } from './undo-limits.ts'

/** Undoes changes of time entries; those in closed periods, those that were corrected since and those that their day cannot hold are conflicts. Events from before lengths were counted in seconds name minutes only. */
export const undoTimes: Undoer = async (ctx, given, undo) => {
  for (const { properties } of given) {
    const minutes = properties.get('minutes')
    if (minutes && !properties.has('seconds'))
      properties.set('seconds', { from: Number(minutes.from) * 60, to: Number(minutes.to) * 60 })
  }
  const conflicts = [...(await closedConflicts(ctx, given)), ...(await correctionConflicts(ctx, given))]
  if (conflicts.length > 0) return conflicts
  const others = await undoRecords(ctx, given, undo)
  return others.length > 0 ? others : await fullDayConflicts(ctx, given)
}
