import { Temporal } from 'temporal-polyfill'
import type { Amount } from '../../containers/cycle/cycle.ts'

// How a cycle went, day by day, told from the log: what an item was at some moment is what it is now, with everything that
// happened since taken back.

/** What of an item counts in a cycle. */
export interface CycleFacts {
  cycleId: string
  statusCategory: number
  points: number
  estimateMinutes: number
  deleted: boolean
}

/** Something that happened to an item; what it was before, of what it changed. */
export interface HistoryEntry {
  at: number
  created: boolean
  from: Partial<CycleFacts>
}

/** An item as it is, and what happened to it, the newest first. */
export interface ItemHistory {
  now: CycleFacts
  log: readonly HistoryEntry[]
}

/** How a cycle stands at one moment. Cancelled items are out of its scope. */
export interface Tally {
  scope: Amount
  done: Amount
  inProgress: Amount
  remaining: Amount
}

export interface Day extends Partial<Tally> {
  date: string
  ideal: Amount
}

const started = 2
const waiting = 3
const finished = 4
const cancelled = 5

/** How the cycle stood at these moments, which come newest first. */
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
  if (facts.cycleId !== cycleId || facts.deleted || facts.statusCategory === cancelled) return
  const add = (amount: Amount) => {
    amount.count++
    amount.points += facts.points
    amount.minutes += facts.estimateMinutes
  }
  add(scope)
  add(facts.statusCategory === finished ? done : remaining)
  if (facts.statusCategory === started || facts.statusCategory === waiting) add(inProgress)
}

/** Work that has begun counts a quarter. */
export function progressOf({ scope, done, inProgress }: Tally): number {
  return scope.count === 0 ? 0 : Math.round(((done.count + inProgress.count / 4) / scope.count) * 10_000) / 10_000
}

/** What the days of a cycle are counted from. */
export interface Span {
  timezone: string
  startDate: string | null
  endDate: string | null
  startedAt: string | null
  completedAt: string | null
}

const maxDays = 400

/** The days from its beginning, as it really was, to its end: the planned one, or the day it is still going on. */
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

/** How each day ended; of days to come there is only the ideal: from what was committed to nothing, in a straight line. */
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
