import { RuleBroken } from '../../kernel/refusal.ts'

// Schedules count whole days. A day is the number of days since 1970-01-01, so that steps are additions.

export type DayNumber = number

const dayMs = 86_400_000

export const dayNumber = (date: string): DayNumber => Math.round(Date.parse(date) / dayMs)

/** The date of a day; refuses days after the year 9999. */
export function dateOf(day: DayNumber): string {
  const text = new Date(day * dayMs).toISOString().slice(0, 10)
  if (!/^\d{4}-/.test(text)) throw new RuleBroken('date-out-of-range', 'a date would be after the year 9999')
  return text
}

/** Why nobody works on a day. */
export interface Closure {
  date: string
  reason: string
  name?: string
}

/** The working days of a container. */
export interface WorkCalendar {
  isOpen(day: DayNumber): boolean
  /** Why a day is closed. */
  closure(day: DayNumber): Closure
}

/** Every day is a working day. */
export const everyDay: WorkCalendar = {
  isOpen: () => true,
  closure: day => ({ date: dateOf(day), reason: 'hours' }),
}

/** Monday to Friday. 1970-01-01 was a Thursday. */
export const weekdays: WorkCalendar = {
  isOpen: day => (((day + 3) % 7) + 7) % 7 < 5,
  closure: day => ({ date: dateOf(day), reason: 'weekday' }),
}

/** The days until the next working day after which a calendar is taken for closed for ever. */
const horizon = 400

/** The day that is a number of working days after a day, or before it if the number is negative; itself for 0. */
export function stepDays({ isOpen }: WorkCalendar, day: DayNumber, count: number): DayNumber {
  const step = Math.sign(count)
  let [at, closed] = [day, 0]
  for (let left = Math.abs(count); left > 0; ) {
    at += step
    closed = isOpen(at) ? 0 : closed + 1
    if (closed === 0) left--
    else if (closed > horizon) throw neverOpen()
  }
  return at
}

/** The day itself, or the next working day after it. */
export function nextOpen({ isOpen }: WorkCalendar, day: DayNumber): DayNumber {
  for (let at = day; at <= day + horizon; at++) if (isOpen(at)) return at
  throw neverOpen()
}

/** The day itself, or the last working day before it. */
export function lastOpen({ isOpen }: WorkCalendar, day: DayNumber): DayNumber {
  for (let at = day; at >= day - horizon; at--) if (isOpen(at)) return at
  throw neverOpen()
}

/** The working days from one day to another, both included. */
export function openDays({ isOpen }: WorkCalendar, from: DayNumber, to: DayNumber): number {
  let count = 0
  for (let day = from; day <= to; day++) if (isOpen(day)) count++
  return count
}

/** The working days by which the second day is later than the first; negative if it is earlier. */
export function openDaysBetween(calendar: WorkCalendar, from: DayNumber, to: DayNumber): number {
  return to >= from ? openDays(calendar, from + 1, to) : -openDays(calendar, to + 1, from)
}

const neverOpen = () => new RuleBroken('clock-never-open', `a clock has no working day in ${horizon} days`)
