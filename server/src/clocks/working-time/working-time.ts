import { RuleBroken } from '../../kernel/refusal.ts'
import { type Calendar, dayReader, openingHorizonDays } from '../calendar/calendar.ts'
import { type CalendarYear, calendarYear, lastIndexWhere, openBefore, summedYear } from './calendar-year.ts'
import { clip, mergeSpans, type TimeSpan } from './time-span.ts'

/** Arithmetic on the time that counts. All instants and amounts are ms. */
export interface WorkingTime {
  /** How much is open from one instant to a later one. */
  between(from: number, to: number): number
  /** The instant at which this amount has been open since `from`; an amount of 0 gives the next opening. */
  add(from: number, amount: number): number
  /** The instant since which this amount has been open until `from`. */
  subtract(from: number, amount: number): number
  /** The open spans within, in order. */
  spans(from: number, to: number): TimeSpan[]
}

const day = 86_400_000
const horizon = openingHorizonDays * day
/** How far working time is counted. */
const maxYears = 150

/** Working time of a calendar. A year is computed when it is first needed; a sum within it takes two look-ups. */
export const workingTime = (calendar: Calendar): WorkingTime => timeOver(calendarYears(calendar))

/** The time in which at least one of several is open; where they overlap, it counts once. */
export const unionTime = (times: readonly WorkingTime[]): WorkingTime => timeOver(unionYears(times))

function timeOver(years: CalendarYears): WorkingTime {
  return {
    between: (from, to) => openBetween(years, from, to),
    add: (from, amount) => addOpen(years, from, amount),
    subtract: (from, amount) => subtractOpen(years, from, amount),
    spans: (from, to) => spansWithin(years, from, to),
  }
}

interface CalendarYears {
  get(number: number): CalendarYear
  /** The year of an instant in the calendar's timezone. */
  yearOf(instant: number): number
}

function calendarYears(calendar: Calendar): CalendarYears {
  const read = dayReader(calendar)
  const years = new Map<number, CalendarYear>()

  function get(number: number): CalendarYear {
    const known = years.get(number) ?? calendarYear(calendar, read, number)
    years.set(number, known)
    return known
  }

  function yearOf(instant: number): number {
    const guess = new Date(instant).getUTCFullYear()
    if (instant < get(guess).from) return guess - 1
    return instant >= get(guess).to ? guess + 1 : guess
  }

  return { get, yearOf }
}

/** Years in UTC, because the times can have different zones. */
function unionYears(times: readonly WorkingTime[]): CalendarYears {
  const years = new Map<number, CalendarYear>()

  function get(number: number): CalendarYear {
    const bounds = { from: Date.UTC(number, 0, 1), to: Date.UTC(number + 1, 0, 1) }
    const known =
      years.get(number) ?? summedYear(bounds, mergeSpans(times.flatMap(each => each.spans(bounds.from, bounds.to))))
    years.set(number, known)
    return known
  }

  return { get, yearOf: instant => new Date(instant).getUTCFullYear() }
}

function openBetween(years: CalendarYears, from: number, to: number): number {
  if (to <= from) return 0
  const last = years.yearOf(to)
  let sum = 0
  for (let each = years.yearOf(from); each <= last; each++) {
    const { from: begin, to: end, total } = years.get(each)
    const upTo = to < end ? openBefore(years.get(each), to) : total
    sum += upTo - (from > begin ? openBefore(years.get(each), from) : 0)
  }
  return sum
}

function addOpen(years: CalendarYears, from: number, amount: number): number {
  let left = amount
  let seen = from
  const first = years.yearOf(from)
  for (let each = first; each < first + maxYears; each++) {
    const { spans, before, total } = years.get(each)
    const passed = each === first ? openBefore(years.get(each), from) : 0
    if (total - passed > 0) {
      const target = passed + left
      // An amount of 0 gives the next opening; an amount that ends with a shift ends there, not when the next shift begins.
      const i = left > 0 ? lastBelow(before, target) : spans.findIndex(span => span.to > from)
      const span = spans[i]
      if (span && (left === 0 || target <= total)) {
        return left === 0 ? Math.max(span.from, from) : span.from + target - (before[i] ?? 0)
      }
      left -= total - passed
      seen = spans.at(-1)?.to ?? seen
    }
    if (years.get(each).to - seen > horizon) throw neverOpen()
  }
  throw tooFar()
}

function subtractOpen(years: CalendarYears, from: number, amount: number): number {
  let left = amount
  let seen = from
  const first = years.yearOf(from)
  for (let each = first; each > first - maxYears; each--) {
    const { spans, before, total } = years.get(each)
    const passed = each === first ? openBefore(years.get(each), from) : total
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
    if (seen - years.get(each).from > horizon) throw neverOpen()
  }
  throw tooFar()
}

function spansWithin(years: CalendarYears, from: number, to: number): TimeSpan[] {
  const found: TimeSpan[] = []
  const last = years.yearOf(to)
  for (let each = years.yearOf(from); each <= last; each++)
    found.push(...years.get(each).spans.flatMap(span => clip(span, { from, to })))
  return mergeSpans(found)
}

/** Working time where every minute counts. */
export const roundTheClock: WorkingTime = {
  between: (from, to) => Math.max(0, to - from),
  add: (from, amount) => from + amount,
  subtract: (from, amount) => from - amount,
  spans: (from, to) => (from < to ? [{ from, to }] : []),
}

const neverOpen = () =>
  new RuleBroken('clock-never-open', `the clock has no working minute in ${openingHorizonDays} days`)
const tooFar = () => new RuleBroken('clock-out-of-reach', `that is more than ${maxYears} years away`)

const lastBelow = (sums: readonly number[], target: number) => lastIndexWhere(sums.length, i => (sums[i] ?? 0) < target)
const lastAtMost = (sums: readonly number[], target: number) =>
  lastIndexWhere(sums.length, i => (sums[i] ?? 0) <= target)
