import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { raw } from '../../kernel/sql.ts'
import { counts } from '../minutes-spent.ts'
import type { Timesheet } from '../sheet/sheet.ts'
import { visibleTimes } from '../time.ts'
import { closedStates } from '../time-state.ts'
import { findTimer, type Timer } from '../timer/timer.ts'
import { closedDays, sheetOn, weekOf } from './week-days.ts'
import {
  keyOf,
  namesOf,
  pinnedTargets,
  recentTargets,
  type Target,
  type TargetName,
  touchedTargets,
  withBillable,
} from './week-targets.ts'

/** Seconds that are planned for a user on a day. */
interface PlannedTime extends Omit<Target, 'billable'> {
  date: string
  seconds: number
}

/** What a user can work on a day. */
interface DayCapacity {
  capacity: number
  leave: number
  /** The name of the holiday, which may be empty; null if the day is none. */
  holiday: string | null
}

/** What later rooms know of a week; see `app.ts`. */
export interface WeekSources {
  capacity(ctx: Context, userId: Id, days: readonly string[]): Promise<DayCapacity[]>
  planned(ctx: Context, userId: Id, days: readonly string[]): Promise<PlannedTime[]>
}

interface Cell {
  seconds: number
  entries: Id[]
  editable: boolean
}

interface Row extends Target {
  key: string
  containerId: Id | ''
  label: string
  origin: 'entries' | 'plan' | 'pinned' | 'recent' | 'touched'
  plannedSeconds: number[]
  cells: Cell[]
}

interface WeekDay {
  date: string
  capacitySeconds: number
  holiday: string | null
  leaveSeconds: number
  closed: boolean
  totalSeconds: number
  correctionSeconds: number
}

interface Week {
  userId: Id
  from: string
  to: string
  days: WeekDay[]
  sheet: Timesheet | null
  timer: Timer | null
  rows: Row[]
}

/** The week of a user that contains a day: what is booked, planned and probable, by row and day. */
export async function readWeek(ctx: Context, sources: WeekSources, userId: Id, date: string): Promise<Week> {
  const dates = await weekOf(ctx, userId, date)
  const [from = date, to = date] = [dates[0], dates.at(-1)]
  const all = await entriesOf(ctx, userId, from, to)
  // A correction is for work on another day, and its entries do not change; the cells are what can be booked.
  const entries = all.filter(each => !each.corrects)
  const planned = await sources.planned(ctx, userId, dates)
  const targets = await targetsOf(ctx, userId, { from, to }, entries, planned)
  const closed = await closedDays(
    ctx,
    userId,
    dates,
    targets.map(({ name }) => name.containerId),
  )
  const rows = targets.map(({ target, origin, name }): Row => {
    const key = keyOf(target)
    const booked = entries.filter(each => keyOf(each) === key)
    const plan = planned.filter(each => keyOf(withBillable(each)) === key)
    return {
      key,
      ...target,
      containerId: name.containerId,
      label: name.label,
      origin,
      plannedSeconds: dates.map(day => sum(plan.filter(each => each.date === day))),
      cells: dates.map(day => {
        const own = booked.filter(each => each.date === day)
        return cellOf(own, closed(day, name.containerId))
      }),
    }
  })
  const capacity = await sources.capacity(ctx, userId, dates)
  const days = dates.map((day, i) => ({
    date: day,
    capacitySeconds: capacity[i]?.capacity ?? 0,
    holiday: capacity[i]?.holiday ?? null,
    leaveSeconds: capacity[i]?.leave ?? 0,
    closed: closed(day, ''),
    totalSeconds: sum(entries.filter(each => each.date === day)),
    correctionSeconds: sum(all.filter(each => each.date === day && each.corrects)),
  }))
  const timer = userId === ctx.caller.userId ? ((await findTimer(ctx, userId)) ?? null) : null
  return { userId, from, to, days, sheet: await sheetOn(ctx, userId, date), timer, rows }
}

interface WeekTarget {
  target: Target
  origin: Row['origin']
  name: TargetName
}

/** What the rows are about, each for the first reason that it is there. */
async function targetsOf(
  ctx: Context,
  userId: Id,
  { from, to }: { from: string; to: string },
  entries: readonly BookedTime[],
  planned: readonly PlannedTime[],
): Promise<WeekTarget[]> {
  const found = new Map<string, { target: Target; origin: Row['origin'] }>()
  const add = (origin: Row['origin'], targets: readonly Target[]) => {
    for (const { itemId, nonBillable, billable } of targets) {
      const target = { itemId, nonBillable, billable }
      if (!found.has(keyOf(target))) found.set(keyOf(target), { target, origin })
    }
  }
  add('entries', entries)
  add('plan', planned.map(withBillable))
  add('pinned', await pinnedTargets(ctx, userId))
  add('recent', await recentTargets(ctx, userId, from))
  const booked = new Set([...found.values()].map(each => each.target.itemId))
  add(
    'touched',
    (await touchedTargets(ctx, userId, from, to)).filter(each => !booked.has(each.itemId)),
  )
  const all = [...found.values()]
  const nameOf = await namesOf(
    ctx,
    all.map(each => each.target),
  )
  // What was only suggested is left out if it is gone or cannot be seen.
  return all
    .map(each => ({ ...each, name: nameOf(each.target) }))
    .filter(({ name, origin }) => name.known || origin === 'entries')
}

interface BookedTime extends Target {
  id: Id
  date: string
  seconds: number
  state: number
  corrects: boolean
}

async function entriesOf(ctx: Context, userId: Id, from: string, to: string): Promise<BookedTime[]> {
  const t = raw('t')
  return await ctx.sql<BookedTime>`select t.id, coalesce(t.item_id::text, '') as "itemId", coalesce(t.non_billable::text, '') as "nonBillable", t.billable, t.date, t.seconds, t.state, t.corrects_id is not null as corrects
    from time t where t.tenant_id = ${ctx.caller.tenantId} and t.user_id = ${userId} and t.date between ${from}::date and ${to}::date
      and ${counts(t)} and ${visibleTimes(ctx.caller, t)} order by t.date, t.created, t.id`
}

function cellOf(entries: readonly BookedTime[], isClosed: boolean): Cell {
  return {
    seconds: sum(entries),
    entries: entries.map(each => each.id),
    editable: !isClosed && entries.every(each => !closedStates.includes(each.state)),
  }
}

export const sum = (parts: readonly { seconds: number }[]) => parts.reduce((total, each) => total + each.seconds, 0)
