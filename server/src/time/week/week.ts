import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { raw } from '../../kernel/sql.ts'
import { together } from '../../records/together.ts'
import { periodsNow } from '../closed/closed.ts'
import { counts } from '../minutes-spent.ts'
import type { Timesheet } from '../sheet/sheet.ts'
import { visibleTimes } from '../time.ts'
import { closedStates } from '../time-state.ts'
import { findTimer, type Timer } from '../timer/timer.ts'
import { closedDays, sheetOn, userWeekOf, weekOf } from './week-days.ts'
import {
  keyOf,
  type NamedTarget,
  named,
  names,
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
  capacity(ctx: Context, userId: Id, days: readonly string[]): Promise<readonly DayCapacity[]>
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
  const isOwn = userId === ctx.caller.userId
  const { known, timezone, weekStart } = await userWeekOf(ctx, userId)
  if (!known && !isOwn) throw new NotFound('user')
  const dates = weekOf(date, weekStart)
  const [from = date, to = date] = [dates[0], dates.at(-1)]
  const [all, planned, pinned, recent, touched, capacity, periods, sheet, timer] = await together([
    entriesOf(ctx, userId, from, to),
    sources.planned(ctx, userId, dates),
    pinnedTargets(ctx, userId),
    recentTargets(ctx, userId, from),
    touchedTargets(ctx, userId, { from, to, timezone }),
    sources.capacity(ctx, userId, dates),
    periodsNow(
      ctx,
      dates.map(each => ({ userId, date: each })),
    ),
    sheetOn(ctx, userId, date),
    isOwn ? findTimer(ctx, userId) : undefined,
  ])
  // A correction is for work on another day, and its entries do not change; the cells are what can be booked.
  const entries = all.filter(each => !each.corrects)
  const targets = await targetsOf(ctx, { entries, plan: planned.map(withBillable), pinned, recent, touched })
  const containerIds = targets.map(({ name }) => name.containerId)
  const closed = await closedDays(ctx, periods, userId, dates, containerIds)
  const bookedIn = Map.groupBy(entries, keyOf)
  const plannedIn = Map.groupBy(planned, each => keyOf(withBillable(each)))
  const rows = targets.map(({ target, origin, name }): Row => {
    const key = keyOf(target)
    const booked = bookedIn.get(key) ?? []
    const plan = plannedIn.get(key) ?? []
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
  const days = dates.map((day, i) => ({
    date: day,
    capacitySeconds: capacity[i]?.capacity ?? 0,
    holiday: capacity[i]?.holiday ?? null,
    leaveSeconds: capacity[i]?.leave ?? 0,
    closed: closed(day, ''),
    totalSeconds: sum(entries.filter(each => each.date === day)),
    correctionSeconds: sum(all.filter(each => each.date === day && each.corrects)),
  }))
  return { userId, from, to, days, sheet, timer: timer ?? null, rows }
}

interface WeekTarget {
  target: Target
  origin: Row['origin']
  name: TargetName
}

/** What the rows are about, each for the first reason that it is there. */
async function targetsOf(
  ctx: Context,
  { touched, ...certain }: Record<Row['origin'], readonly (Target | NamedTarget)[]>,
): Promise<WeekTarget[]> {
  const found = new Map<string, Omit<WeekTarget, 'name'> & { name: TargetName | undefined }>()
  const add = (origin: Row['origin'], targets: readonly (Target | NamedTarget)[]) => {
    for (const each of targets) {
      const { itemId, nonBillable, billable } = each
      const [key, target] = [keyOf(each), { itemId, nonBillable, billable }]
      if (!found.has(key)) found.set(key, { target, origin, name: 'known' in each ? each : undefined })
    }
  }
  for (const origin of ['entries', 'plan', 'pinned', 'recent'] as const) add(origin, certain[origin])
  const booked = new Set([...found.values()].map(each => each.target.itemId))
  add(
    'touched',
    touched.filter(each => !booked.has(each.itemId)),
  )
  const all = [...found.values()]
  const nameOf = await namesOf(
    ctx,
    all.filter(each => !each.name).map(each => each.target),
  )
  // What was only suggested is left out if it is gone or cannot be seen.
  return all
    .map(({ name, ...each }) => ({ ...each, name: name ?? nameOf(each.target) }))
    .filter(({ name, origin }) => name.known || origin === 'entries')
}

interface BookedTime extends NamedTarget {
  id: Id
  date: string
  seconds: number
  state: number
  corrects: boolean
}

async function entriesOf(ctx: Context, userId: Id, from: string, to: string): Promise<BookedTime[]> {
  const t = raw('t')
  return await ctx.sql<BookedTime>`select t.id, ${named}, t.date, t.seconds, t.state, t.corrects_id is not null as corrects
    from time t ${names(ctx)} where t.tenant_id = ${ctx.caller.tenantId} and t.user_id = ${userId} and t.date between ${from}::date and ${to}::date
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
