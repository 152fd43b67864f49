import type { Reversal, UndoConflict } from '../../engine/undo/reversal.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { closedStates } from '../time-state.ts'
import { closedEntries, type TimePlace } from './closed.ts'

/** Returns the conflicts of undoing changes of entries that are closed now, or that would come into a closed period. */
export async function closedConflicts(ctx: Context, given: readonly Reversal[]): Promise<UndoConflict[]> {
  const ids = given.map(each => each.recordId)
  const rows = await ctx.sql<TimePlace & { id: Id; state: number }>`select id, user_id as "userId", date::text as date,
      coalesce(container_id::text, '') as "containerId", state from time
    where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[])`
  const reversals = new Map(given.map(each => [each.recordId, each]))
  const places = rows.flatMap(row => {
    const now = { ...row, recordId: row.id }
    return [now, { ...now, ...placeBefore(reversals.get(row.id)) }]
  })
  const closed = await closedEntries(ctx, places)
  return rows
    .filter(({ id, state }) => closedStates.includes(state) || closed.has(id))
    .map(({ id, state }) => ({ entity: 'Time', recordId: id, property: 'state', current: state }))
}

/** The place that the entry had before the change; a created one had none. */
function placeBefore(reversal: Reversal | undefined): Partial<TimePlace> {
  const before: Record<string, string> = {}
  for (const property of ['userId', 'date', 'containerId']) {
    const from = reversal?.properties.get(property)?.from
    if (typeof from === 'string' && from !== '') before[property] = from
  }
  return before
}
