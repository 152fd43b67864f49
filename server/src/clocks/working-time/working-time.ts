import { RuleBroken } from '../../kernel/refusal.ts'
import { type Because, type Calendar, dayReader, horizon } from '../calendar/calendar.ts'
import { instantAt, wallBetween } from './zone-offsets.ts'

/** From one instant to another; ms since 1970, the end not included. */
export interface Span {
  from: number
  to: number
}

/** Which time counts, and how much of it lies where. All instants and amounts are ms. */
export interface WorkingTime {
  /** How much is open from one instant to a later one. */
  between(from: number, to: number): number
  /** The instant at which so much has been open since; nothing at all leads to the next opening. */
  add(from: number, amount: number): number
  /** The instant since which so much has been open. */
  subtract(from: number, amount: number): number
  /** The open spans within, in order. */
  spans(from: number, to: number): Span[]
}

const day = 86_400_000
const reach = horizon * day
/** Beyond so many years nobody promises anything. */
const maxYears = 150

/** One year of a calendar: its open spans, and how much was open before each of them. */
interface Year extends Span {
  spans: readonly Span[]
  before: readonly number[]
  total: number
}

/** Working time of a calendar. A year is worked out once, when it is first asked for; a sum within it is two look-ups. */
export function workingTime(calendar: Calendar): WorkingTime {
  const read = dayReader(calendar)
  const years = new Map<number, Year>()

  function year(number: number): Year {
    const known = years.get(number) ?? workOut(number)
    years.set(number, known)
    return known
  }

  function workOut(number: number): Year {
    const [first, last] = [Date.UTC(number, 0, 1), Date.UTC(number + 1, 0, 1)]
    const wall = wallBetween(calendar.timezone, first - 3 * day, last + 3 * day)
    const found: Span[] = []
    // A night, or a wall that jumps, carries a shift over the turn of the year: the neighbours are looked at, too.
    for (let date = first - 2 * day; date < last + day; date += day) {
      const at = new Date(date)
      for (const { from, to } of read(at.toISOString().slice(0, 10), at.getUTCDay() || 7).hours)
        found.push({ from: instantAt(wall, date + from * 1000, false), to: instantAt(wall, date + to * 1000, true) })
    }
    const bounds = { from: instantAt(wall, first, false), to: instantAt(wall, last, false) }
    const spans = united(found).flatMap(each => clip(each, bounds))
    const before: number[] = []
    let total = 0
    for (const { from, to } of spans) {
      before.push(total)
      total += to - from
    }
    return { ...bounds, spans, before, total }
  }

  /** The year that an instant lies in, on the calendar's own wall. */
  function yearOf(instant: number): number {
    const guess = new Date(instant).getUTCFullYear()
    if (instant < year(guess).from) return guess - 1
    return instant >= year(guess).to ? guess + 1 : guess
  }

  /** How much of its year was open before this instant. */
  function openBefore({ spans, before }: Year, instant: number): number {
    const i = lastBegun(spans, instant)
    const span = spans[i]
    return span ? (before[i] ?? 0) + Math.min(instant, span.to) - span.from : 0
  }

  function between(from: number, to: number): number {
    if (to <= from) return 0
    const last = yearOf(to)
    let sum = 0
    for (let each = yearOf(from); each <= last; each++) {
      const { from: begin, to: end, total } = year(each)
      const upTo = to < end ? openBefore(year(each), to) : total
      sum += upTo - (from > begin ? openBefore(year(each), from) : 0)
    }
    return sum
  }

  function add(from: number, amount: number): number {
    let left = amount
    let seen = from
    const first = yearOf(from)
    for (let each = first; each < first + maxYears; each++) {
      const { spans, before, total } = year(each)
      const passed = each === first ? openBefore(year(each), from) : 0
      if (total - passed > 0) {
        const target = passed + left
        // Nothing at all means the next opening, and an amount that ends with a shift ends there, not at the next.
        const i = left > 0 ? lastBelow(before, target) : spans.findIndex(span => span.to > from)
        const span = spans[i]
        if (span && (left === 0 || target <= total)) {
          return left === 0 ? Math.max(span.from, from) : span.from + target - (before[i] ?? 0)
        }
        left -= total - passed
        seen = spans.at(-1)?.to ?? seen
      }
      if (year(each).to - seen > reach) throw neverOpen()
    }
    throw tooFar()
  }

  function subtract(from: number, amount: number): number {
    let left = amount
    let seen = from
    const first = yearOf(from)
    for (let each = first; each > first - maxYears; each--) {
      const { spans, before, total } = year(each)
      const passed = each === first ? openBefore(year(each), from) : total
      if (passed > 0) {
        const target = passed - left
        const i = left > 0 ? lastAtMost(before, target) : spans.findLastIndex(span => span.from < from)
        const span = spans[i]
        if (span && (left === 0 || target >= 0)) {
          return left === 0 ? Math.min(span.to, from) : span.from + target - (before[i] ?? 0)
        }
        left -= passed
        seen = spans[0]?.from ?? seen
      }
      if (seen - year(each).from > reach) throw neverOpen()
    }
    throw tooFar()
  }

  function spansWithin(from: number, to: number): Span[] {
    const found: Span[] = []
    const last = yearOf(to)
    for (let each = yearOf(from); each <= last; each++)
      found.push(...year(each).spans.flatMap(span => clip(span, { from, to })))
    return united(found)
  }

  return { between, add, subtract, spans: spansWithin }
}

/** Working time of somebody who never sleeps. */
export const roundTheClock: WorkingTime = {
  between: (from, to) => Math.max(0, to - from),
  add: (from, amount) => from + amount,
  subtract: (from, amount) => from - amount,
  spans: (from, to) => (from < to ? [{ from, to }] : []),
}

/** A stretch of time that does not count, and why. */
export interface Reason extends Span {
  because: Because
  name?: string
}

/** Why a stretch of time does not count on a calendar: said day by day of its wall. */
export function reasons(calendar: Calendar, { from, to }: Span): Reason[] {
  const read = dayReader(calendar)
  const wall = wallBetween(calendar.timezone, from - 3 * day, to + 3 * day)
  const told: Reason[] = []
  for (let date = Math.floor(from / day) * day - day; date <= to + day; date += day) {
    const at = new Date(date)
    const { hours: _, ...why } = read(at.toISOString().slice(0, 10), at.getUTCDay() || 7)
    const within = { from: instantAt(wall, date, false), to: instantAt(wall, date + day, false) }
    for (const span of clip(within, { from, to })) {
      const before = told.at(-1)
      const same = before?.because === why.because && before.name === why.name
      if (same && before.to === span.from) before.to = span.to
      else told.push({ ...span, ...why })
    }
  }
  return told
}

/** Spans that meet or lie over each other are one: no moment counts twice. */
export function united(spans: readonly Span[]): Span[] {
  const made: Span[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = made.at(-1)
    if (to <= from) continue
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else made.push({ from, to })
  }
  return made
}

export function clip({ from, to }: Span, bounds: Span): Span[] {
  const clipped = { from: Math.max(from, bounds.from), to: Math.min(to, bounds.to) }
  return clipped.from < clipped.to ? [clipped] : []
}

const neverOpen = () => new RuleBroken('clock-never-open', `the clock has no working minute in ${horizon} days`)
const tooFar = () => new RuleBroken('clock-out-of-reach', `that is more than ${maxYears} years away`)

/** The last span that has begun at an instant, or -1. */
function lastBegun(spans: readonly Span[], instant: number): number {
  return halve(spans.length, i => (spans[i]?.from ?? 0) <= instant)
}

const lastBelow = (sums: readonly number[], target: number) => halve(sums.length, i => (sums[i] ?? 0) < target)
const lastAtMost = (sums: readonly number[], target: number) => halve(sums.length, i => (sums[i] ?? 0) <= target)

/** The last place up to which something holds; it holds first and then no more. */
function halve(length: number, holds: (i: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low - 1
}
