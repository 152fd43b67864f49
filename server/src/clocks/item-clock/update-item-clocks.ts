import type { Context } from '../../kernel/context.ts'
import { appendEvents, type NewEvent } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { raw, type Sql } from '../../kernel/sql.ts'
import { recalculateMode } from '../clock/recalculate-mode.ts'
import { clockDefinitions } from '../cycle/clock-definition.ts'
import type { MeasuredCycle } from '../cycle/measure.ts'
import { replayItems } from '../cycle/replay-items.ts'
import { cancelledEvent, crossingsOf, eventsSince } from './clock-events.ts'
import { type FreshRow, type StoredRow, storedRows, writeRows } from './item-clock-rows.ts'
import { primaryCycles } from './primary-cycles.ts'

/**
 * Replays the clocks of items up to now, stores them, and publishes what happened. It is the only way in which the state of
 * a clock changes, whether an event, a threshold, a command or a new calendar causes it. Rows and events are written in one
 * transaction, so each crossing is published once. Returns the number of items whose rows changed.
 */
export async function updateItemClocks(
  ctx: Context,
  itemIds: readonly Id[],
  mode: number = recalculateMode.keep,
): Promise<number> {
  const ids = [...new Set(itemIds)].sort()
  if (ids.length === 0) return 0
  // Updates of the same item wait for each other; writers of the item do not wait.
  await ctx.sql`select pg_advisory_xact_lock(${itemLock}) from (select id from unnest(${ids}::text[]) as id order by id) each`
  const stored = await storedRows(ctx, ids)
  const replayed = await replayItems(ctx, ids, await clockDefinitions(ctx), stored, mode)
  const events: NewEvent[] = []
  const changed: { itemId: Id; rows: FreshRow[] }[] = []
  for (const itemId of ids) {
    const before = stored.get(itemId) ?? []
    const { rows: cycles, checkpoints } = replayed.get(itemId) ?? { rows: [], checkpoints: new Map() }
    const isFinished = (row: StoredRow) => row.endedAt !== null && row.cycle <= (checkpoints.get(row.lane)?.cycle ?? 0)
    const open = before.filter(row => !isFinished(row))
    const rows = cycles.map((cycle): FreshRow => {
      const notified = crossingsOf(cycle, ctx.now.getTime())
      events.push(
        ...eventsSince(
          before.find(each => isSame(each, cycle)),
          itemId,
          cycle,
          notified,
        ),
      )
      return { ...cycle, notified, primary: false }
    })
    for (const row of open)
      if (row.endedAt === null && !rows.some(each => isSame(each, row))) events.push(cancelledEvent(itemId, row))
    const primary = primaryCycles<FreshRow | StoredRow>([...rows, ...before.filter(isFinished)])
    for (const row of rows) row.primary = primary.has(row)
    if (differ(open, rows)) changed.push({ itemId, rows })
  }
  await writeRows(ctx, changed, replayed)
  await appendEvents(ctx, events)
  return changed.length
}

/** The advisory lock of an update; `id` is the column with the id of the item. */
export const itemLock: Sql = raw("hashtextextended('clock ' || id, 0)")

type CycleKey = Pick<MeasuredCycle, 'lane' | 'cycle'>

const isSame = (a: CycleKey, b: CycleKey) => a.lane === b.lane && a.cycle === b.cycle

/** Whether anything has to be written. Amounts that only grow with time do not count. */
function differ(stored: readonly StoredRow[], rows: readonly FreshRow[]): boolean {
  if (stored.length !== rows.length) return true
  return rows.some(row => {
    const known = stored.find(each => isSame(each, row))
    return !known || fingerprint(known) !== fingerprint(row) || known.wasPrimary !== row.primary
  })
}

const comparedProperties = [
  'clockId',
  'targetId',
  'kind',
  'version',
  'state',
  'startedAt',
  'dueAt',
  'amberAt',
  'redAt',
  'pausedSince',
  'pauses',
  'metAt',
  'breachedAt',
  'endedAt',
  'endedBy',
  'nextAt',
  'notified',
] as const satisfies readonly (keyof StoredRow & keyof FreshRow)[]

function fingerprint(row: Pick<FreshRow, (typeof comparedProperties)[number]>): string {
  return JSON.stringify(comparedProperties.map(property => row[property] ?? null))
}
