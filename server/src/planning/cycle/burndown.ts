import { Temporal } from 'temporal-polyfill'
import type { Amount } from '../../containers/cycle/cycle.ts'
import { statusCategory } from '../../items/status.ts'

// The burndown is computed from the event log: the state of an item at an earlier time is its current state with all
// later changes undone.

/** The properties of an item that a burndown counts. */
export interface CycleFacts {
  cycleId: string
  statusCategory: number
  points: number
  estimateMinutes: number
  deleted: boolean
}

/** A change of an item, with the former values of what it changed. */
interface HistoryEntry {
  at: number
  created: boolean
  from: Partial<CycleFacts>
}

/** An item with its changes, newest first. */
export interface ItemHistory {
  now: CycleFacts
  log: readonly HistoryEntry[]
}

/** The totals of a cycle at one time. Cancelled items are out of scope. */
interface Tally {
  scope: Amount
  done: Amount
  inProgress: Amount
  remaining: Amount
}

interface Day extends Partial<Tally> {
  date: string
  ideal: Amount
}

/** The totals of the cycle at these times, which are given newest first. */
export function tallies(cycleId: string, stories: readonly ItemHistory[], moments: readonly number[]): Tally[] {
  const all = moments.map(nothingYet)
  for (const { now, log } of stories) {
    let facts: CycleFacts | undefined = now
    let next = 0
    for (const [i, moment] of moments.entries()) {
      for (let each = log[next]; each && each.at > moment; each = log[++next])
        facts = each.created || !facts ? undefined : { ...facts, ...each.from }
      const tally = all[i]
      if (facts && tally) count(tally, cycleId, facts)
    }
  }
  return all
}

const nothingYet = (): Tally => ({ scope: none(), done: none(), inProgress: none(), remaining: none() })
const none = (): Amount => ({ count: 0, points: 0, minutes: 0 })

function count({ scope, done, inProgress, remaining }: Tally, cycleId: string, facts: CycleFacts): void {
  if (facts.cycleId !== cycleId || facts.deleted || facts.statusCategory === statusCategory.cancelled) return
  const add = (amount: Amount) => {
    amount.count++
    amount.points += facts.points
    amount.minutes += facts.estimateMinutes
  }
  add(scope)
  add(facts.statusCategory === statusCategory.done ? done : remaining)
  if (facts.statusCategory === statusCategory.started || facts.statusCategory === statusCategory.waiting)
    add(inProgress)
}

/** The progress from 0 to 1. An item in progress counts a quarter. */
export function progressOf({ scope, done, inProgress }: Tally): number {
  return scope.count === 0 ? 0 : Math.round(((done.count + inProgress.count / 4) / scope.count) * 10_000) / 10_000
}

/** The dates from which the days of a cycle follow. */
interface Span {
  timezone: string
  startDate: string | null
  endDate: string | null
  startedAt: string | null
  completedAt: string | null
}

const maxDays = 400

/** The days from the actual start of the cycle to its planned end, or to its actual end or today if that is later. */
export function daysOf(
  { timezone, startDate, endDate, startedAt, completedAt }: Span,
  now: Date,
): Temporal.PlainDate[] {
  const dayOf = (moment: Date) =>
    Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timezone).toPlainDate()
  const today = dayOf(now)
  const first = startedAt ? dayOf(new Date(startedAt)) : startDate ? Temporal.PlainDate.from(startDate) : today
  const reached = completedAt ? dayOf(new Date(completedAt)) : startedAt ? today : first
  const last =
    [reached, ...(endDate ? [Temporal.PlainDate.from(endDate)] : [])].sort(Temporal.PlainDate.compare).at(-1) ?? first
  const days: Temporal.PlainDate[] = []
  for (let day = first; days.length < maxDays && Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 }))
    days.push(day)
  return days
}

export interface Burndown {
  days: Day[]
  now: Tally
}

/**
 * The totals at the end of each day. Future days have only the ideal line, which falls from the committed scope to
 * zero.
 */
export function burndown(
  cycleId: string,
  stories: readonly ItemHistory[],
  span: Span,
  now: Date,
  committed: Amount | undefined,
): Burndown {
  const days = daysOf(span, now)
  const ends = days.map(day => day.add({ days: 1 }).toZonedDateTime(span.timezone).epochMilliseconds - 1)
  const begun = days.filter(day => day.toZonedDateTime(span.timezone).epochMilliseconds <= now.getTime())
  const moments = begun.map((_, i) => Math.min(ends[i] ?? 0, now.getTime()))
  const [latest = nothingYet(), ...past] = tallies(cycleId, stories, [now.getTime(), ...moments.toReversed()])
  const stood = past.reverse()
  const whole = committed ?? stood[0]?.scope ?? latest.scope
  const planned = span.endDate ? days.findIndex(day => day.toString() === span.endDate) + 1 : 0
  const length = planned > 0 ? planned : days.length
  return {
    days: days.map((day, i) => ({
      date: day.toString(),
      ...stood[i],
      ideal: share(whole, Math.max(0, 1 - (i + 1) / length)),
    })),
    now: latest,
  }
}

function share({ count, points, minutes }: Amount, part: number): Amount {
  const rounded = (value: number) => Math.round(value * part * 100) / 100
  return { count: rounded(count), points: rounded(points), minutes: rounded(minutes) }
}
