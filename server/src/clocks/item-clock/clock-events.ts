import type { NewEvent } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { clockState, type MeasuredCycle } from '../cycle/measure.ts'
import { iso, type StoredRow } from './item-clock-rows.ts'

/** The thresholds that a cycle has crossed, as bits. They are stored, so that each crossing is published once. */
const crossing = { amber: 1, red: 2, breached: 4 } as const

export function crossingsOf({ amberAt, redAt, breachedAt, endedAt }: MeasuredCycle, now: number): number {
  const until = endedAt ?? now
  const passed = (at: number | null) => at !== null && at <= until
  return (
    (passed(amberAt) ? crossing.amber : 0) |
    (passed(redAt) ? crossing.red : 0) |
    (breachedAt !== null ? crossing.breached : 0)
  )
}

/** The events of a cycle since its stored row, in the order in which they happened. */
export function eventsSince(
  stored: StoredRow | undefined,
  itemId: Id,
  row: MeasuredCycle,
  crossings: number,
): NewEvent[] {
  const events: NewEvent[] = []
  const from = stored?.state ?? clockState.notStarted
  const publish = (verb: string) => events.push(clockEvent(verb, itemId, row, from, row.state))
  if (!stored) publish('started')
  const fresh = crossings & ~(stored?.notified ?? 0)
  if (fresh & crossing.amber) publish('amber')
  if (fresh & crossing.red) publish('red')
  if (fresh & crossing.breached) publish('breached')
  const [before, after] = [countPauses(stored?.pauses ?? []), countPauses(row.pauses)]
  for (let i = before.begun; i < after.begun; i++) publish('paused')
  for (let i = before.ended; i < after.ended; i++) publish('resumed')
  if (row.endedAt !== null && (!stored || stored.endedAt === null))
    publish(row.state === clockState.cancelled ? 'cancelled' : 'met')
  return events
}

/** The event of a stored cycle that the replay no longer has. */
export function cancelledEvent(itemId: Id, row: StoredRow): NewEvent {
  return clockEvent('cancelled', itemId, row, row.state, clockState.cancelled)
}

const countPauses = (pauses: readonly { to?: unknown }[]) => ({
  begun: pauses.length,
  ended: pauses.filter(each => each.to !== undefined && each.to !== null).length,
})

function clockEvent(
  verb: string,
  itemId: Id,
  row: Pick<MeasuredCycle, 'clockId' | 'targetId' | 'kind' | 'cycle' | 'dueAt'>,
  from: number,
  to: number,
): NewEvent {
  const { clockId, targetId, kind, cycle, dueAt } = row
  return {
    kind: `clock.${verb}`,
    entity: 'Item',
    recordId: itemId,
    changes: {
      clockId: { to: clockId },
      targetId: { to: targetId },
      targetKind: { to: kind },
      cycle: { to: cycle },
      clockState: { from, to },
      dueAt: { to: iso(dueAt) },
    },
  }
}
