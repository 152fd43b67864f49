import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { fault, Invalid, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { lockRecords } from '../../records/history/rewrite.ts'
import { changeTime, createTime, removeTime } from '../entry/entry.ts'
import { countsOnDay } from '../minutes-spent.ts'
import { type Time, times } from '../time.ts'
import { readTimeSpan } from '../time-entry.ts'
import { timeSource } from '../time-state.ts'
import { sum } from './week.ts'
import { completedTarget, type Target } from './week-targets.ts'

/** A cell of the grid as a client writes it: the total of a row on a day. */
export interface CellInput {
  itemId?: string
  nonBillable?: string
  billable?: number
  date: string
  seconds?: number | null
  minutes?: number | null
  hours?: number | null
  /** The seconds that the client has seen. */
  was?: number | null
  note?: string | null
}

/** The total that a cell asks for; no length is none. */
export function totalIn({ date, seconds, minutes, hours }: CellInput): number {
  const lengths = [seconds, minutes, hours]
  if (lengths.every(each => each === undefined))
    throw new Invalid([fault(['seconds'], 'required', 'is required: seconds, minutes, hours, or null')])
  if (lengths.every(each => each === undefined || each === null)) return 0
  const given = { date, seconds: seconds ?? null, minutes: minutes ?? null, hours: hours ?? null }
  const span = readTimeSpan(given, { timezone: 'UTC', now: new Date(0) })
  if (Array.isArray(span)) throw new Invalid(span)
  return span.seconds
}

/** Makes the entries of a cell add up to its total; returns whether anything changed. */
export async function saveCell(ctx: Context, userId: Id, cell: CellInput): Promise<boolean> {
  const total = totalIn(cell)
  const target = completedTarget(cell)
  const entries = await entriesOf(ctx, userId, target, cell.date)
  const booked = sum(entries)
  if (typeof cell.was === 'number' && cell.was !== booked)
    throw new Refusal(409, 'cell-changed', 'the cell has changed since it was read', { extra: { current: booked } })
  if (total === 0) for (const { id } of entries) await removeTime(ctx, id, {})
  else if (entries.length === 1 && entries[0]) await saveOnly(ctx, entries[0], total, cell.note)
  else if (total < booked) await takeFrom(ctx, entries, booked - total)
  else if (total > booked) await giveTo(ctx, { ...target, userId, date: cell.date }, entries, total - booked, cell.note)
  return total !== booked || (entries.length === 1 && typeof cell.note === 'string' && cell.note !== entries[0]?.note)
}

/** The entries of a cell, the newest first. */
async function entriesOf(ctx: Context, userId: Id, { itemId, nonBillable, billable }: Target, date: string) {
  const found = await lockRecords(
    ctx,
    times,
    sql`t.user_id = ${userId} and t.date = ${date}::date and coalesce(t.item_id::text, '') = ${itemId}
      and coalesce(t.non_billable::text, '') = ${nonBillable} and t.billable = ${billable} and ${countsOnDay(raw('t'))}`,
  )
  return found.reverse()
}

const hasTimes = ({ start, end }: Time) => start !== null || end !== null

async function saveOnly(ctx: Context, entry: Time, total: number, note: string | null | undefined): Promise<void> {
  const more = typeof note === 'string' ? { note } : {}
  if (!hasTimes(entry) || total === entry.seconds) {
    await changeTime(ctx, entry.id, { seconds: total, ...more }, {})
  } else if (total < entry.seconds) await takeFrom(ctx, [entry], entry.seconds - total)
  else {
    const { userId, itemId, nonBillable, billable, date } = entry
    await giveTo(ctx, { userId, itemId, nonBillable, billable, date: date ?? '' }, [], total - entry.seconds, note)
  }
}

/** Adds to the newest entry that the grid has made, or books a new one. */
async function giveTo(
  ctx: Context,
  place: Target & { userId: Id; date: string },
  entries: readonly Time[],
  seconds: number,
  note: string | null | undefined,
): Promise<void> {
  const own = entries.find(each => each.source === timeSource.grid && !hasTimes(each))
  if (own) await changeTime(ctx, own.id, { seconds: own.seconds + seconds }, {})
  else await createTime(ctx, { ...place, seconds, source: timeSource.grid, ...(note ? { note } : {}) })
}

/** Shortens entries without a start and an end: those that the grid has made, then others, each time the newest first. */
async function takeFrom(ctx: Context, entries: readonly Time[], seconds: number): Promise<void> {
  const free = entries.filter(each => !hasTimes(each) && each.seconds > 0)
  if (sum(free) < seconds) {
    const message = 'the rest of the cell was booked with a start and an end; change those entries'
    throw new RuleBroken('cell-has-times', message, [fault(['seconds'], 'cell-has-times', message)])
  }
  let left = seconds
  for (const each of [...free].sort(
    (a, b) => Number(b.source === timeSource.grid) - Number(a.source === timeSource.grid),
  )) {
    if (left === 0) return
    const taken = Math.min(left, each.seconds)
    left -= taken
    if (taken === each.seconds) await removeTime(ctx, each.id, {})
    else await changeTime(ctx, each.id, { seconds: each.seconds - taken }, {})
  }
}
