import type { Reversal, UndoConflict } from '../../engine/undo/reversal.ts'
import type { Context } from '../../kernel/context.ts'
import { sql } from '../../kernel/sql.ts'
import { fullDays } from './day-limit.ts'

/** Returns the entries that an undo has brought to a day that cannot hold them, or has made longer there. */
export async function fullDayConflicts(ctx: Context, given: readonly Reversal[]): Promise<UndoConflict[]> {
  const ids = given.filter(isMore).map(each => each.recordId)
  if (ids.length === 0) return []
  const full = await fullDays(ctx, sql`a.id = any(${ids}::uuid[])`)
  return full.flatMap(day =>
    day.ids.map(recordId => ({
      entity: 'Time',
      recordId,
      property: 'seconds',
      expected: day.limit,
      current: day.seconds,
    })),
  )
}

/** Whether the undo gives a day more: it restores the entry, lengthens it, confirms it or moves it to another day or user. */
function isMore({ created, deleted, properties }: Reversal): boolean {
  if (created || deleted === false) return false
  const seconds = properties.get('seconds')
  if (deleted === true || ['date', 'userId', 'state'].some(property => properties.has(property))) return true
  return seconds !== undefined && Number(seconds.from) > Number(seconds.to)
}
