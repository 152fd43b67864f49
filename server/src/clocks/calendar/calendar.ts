import { Temporal } from 'temporal-polyfill'
import { isDate, weekday } from '../../kernel/schema/formats.ts'
import { mergeSpans } from '../working-time/time-span.ts'

/** From one time of day to another; a shift that ends at or before its start ends on the next day. */
interface Shift {
  start?: string
  end?: string
}

/** The part of a clock that says when it is open, in the form in which it is stored. */
export interface Calendar {
  timezone: string
  dayStart: string
  dayEnd: string
  weekStart: string
  weekEnd: string
  nonWorkingDay: readonly string[]
  /** Hours by weekday, instead of `dayStart` and `dayEnd`. */
  schedule: readonly { day?: number; intervals?: readonly Shift[] }[]
  /** Hours of single dates; they override everything else. */
  exceptions: readonly { date?: string | null; intervals?: readonly Shift[] }[]
  /** Holidays of the country and the feed; versions from before holidays existed have none. */
  holidays?: readonly { date?: string | null; name?: string }[]
}

/** A part of the world in which a group works, by the hours of a clock. */
export interface Region {
  name?: string
  clockId?: string
  groupId?: string
}

/** The hours of a clock as they are stored: its own, or those of its regions. */
export interface ClockHours extends Calendar {
  /** With regions the own hours do not count; versions from before regions existed have none. */
  regions?: readonly Region[]
}

/** A calendar by which a clock counts, and the region that it belongs to if the clock has regions. */
export interface HoursPart {
  calendar: Calendar
  region?: Region
}

export const calendarProperties = [
  'timezone',
  'dayStart',
  'dayEnd',
  'weekStart',
  'weekEnd',
  'nonWorkingDay',
  'schedule',
  'exceptions',
  'holidays',
  'regions',
] as const satisfies readonly (keyof ClockHours)[]

/** The hours of a clock as they are stored with each version of it. */
export function clockHoursOf(clock: ClockHours): ClockHours {
  const { regions = [] } = clock
  return regions.length > 0 ? { ...calendarOf(clock), regions } : calendarOf(clock)
}

export function calendarOf(clock: Calendar): Calendar {
  const { timezone, dayStart, dayEnd, weekStart, weekEnd, nonWorkingDay, schedule, exceptions, holidays } = clock
  const hours = { timezone, dayStart, dayEnd, weekStart, weekEnd, nonWorkingDay, schedule, exceptions }
  return holidays ? { ...hours, holidays } : hours
}

/** How many days ahead an opening is searched for. */
export const openingHorizonDays = 400

/** Whether a text is a day off: `2026-12-25`, every year's `--12-25`, or a range `2026-12-24/2026-12-31`. */
export function isDayOff(text: string): boolean {
  if (/^--\d\d-\d\d$/.test(text)) return isDate(`2024${text.slice(1)}`)
  const [first = '', last = first, ...rest] = text.split('/')
  return isDate(first) && isDate(last) && first <= last && rest.length === 0
}

/** The working weekdays, 1 for Monday to 7; a week may wrap, such as Sunday to Thursday. */
export function workingDays({ weekStart, weekEnd }: Pick<Calendar, 'weekStart' | 'weekEnd'>): ReadonlySet<number> {
  const start = weekday(weekStart) ?? 1
  const end = weekday(weekEnd) ?? ((start + 5) % 7) + 1 // without an end, all seven days are working days
  const length = ((end - start + 7) % 7) + 1
  return new Set(Array.from({ length }, (_, i) => ((start - 1 + i) % 7) + 1))
}

/** What determined the hours of a day. */
export type DayReason = 'hours' | 'exception' | 'day-off' | 'holiday' | 'weekday'

/** Hours of a day in seconds of local time since midnight; the end of a night shift is beyond 24 hours. */
interface DayHours {
  from: number
  to: number
}

interface CalendarDay {
  hours: readonly DayHours[]
  because: DayReason
  /** The name of the holiday. */
  name?: string
}

/** Reads one day of a calendar; the weekday is 1 for Monday to 7. */
export type DayReader = (date: string, weekday: number) => CalendarDay

/** Prepares a calendar once, so that single days are read fast and in any order. */
export function dayReader(calendar: Calendar): DayReader {
  const worked = workingDays(calendar)
  const usual = [hoursOf({ start: calendar.dayStart, end: calendar.dayEnd })]
  const byWeekday = Map.groupBy(calendar.schedule, each => each.day ?? 0)
  const exceptions = new Map(calendar.exceptions.map(each => [each.date ?? '', (each.intervals ?? []).map(hoursOf)]))
  const isOff = daysOff(calendar.nonWorkingDay)
  // The first of two holidays on a date counts: those of the country come before those of the feed.
  const holidays = new Map(calendar.holidays?.toReversed().map(each => [each.date ?? '', each.name ?? '']))
  const hoursOfDay = new Map(
    [1, 2, 3, 4, 5, 6, 7].map(day => [
      day,
      calendar.schedule.length > 0
        ? (byWeekday.get(day) ?? []).flatMap(each => (each.intervals ?? []).map(hoursOf))
        : worked.has(day)
          ? usual
          : [],
    ]),
  )
  return (date, day) => {
    const exception = exceptions.get(date)
    if (exception) return { hours: exception, because: 'exception' }
    if (isOff(date)) return { hours: [], because: 'day-off' }
    const name = holidays.get(date)
    if (name !== undefined) return { hours: [], because: 'holiday', name }
    const hours = hoursOfDay.get(day) ?? []
    return { hours, because: hours.length > 0 ? 'hours' : 'weekday' }
  }
}

/** Reads the days of several calendars as those of one, each by its own local dates: open if any of them is open. */
export function dayReaderOf(parts: readonly HoursPart[]): DayReader {
  const readers = parts.map(each => dayReader(each.calendar))
  return (date, day) => {
    const days = readers.map(read => read(date, day))
    const open = days.filter(each => each.hours.length > 0)
    const first = open[0] ?? days[0] ?? { hours: [], because: 'weekday' }
    if (open.length < 2) return first
    const hours = mergeSpans(open.flatMap(each => each.hours))
    return { ...first, hours }
  }
}

const wholeDay = 86_400

function hoursOf({ start = '', end = '' }: Shift): DayHours {
  const from = start === '' ? 0 : secondsOf(start)
  const to = end === '' ? wholeDay : secondsOf(end)
  return { from, to: to <= from ? to + wholeDay : to }
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}

/**
 * Whether any day from now on, up to the horizon, has hours. Every shift is longer than 0 (one that ends where it begins
 * lasts 24 hours), so a day with a shift is open.
 */
export function everOpens(calendar: Calendar, now: Date): boolean {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(calendar.timezone || 'UTC')
    .toPlainDate()
  const read = dayReader(calendar)
  for (let i = 0; i < openingHorizonDays; i++) {
    const day = today.add({ days: i })
    if (read(day.toString(), day.dayOfWeek).hours.length > 0) return true
  }
  return false
}

/** Merges the ranges of days off, so that a binary search finds a day. */
function daysOff(texts: readonly string[]): (date: string) => boolean {
  const everyYear = new Set(texts.filter(text => text.startsWith('--')).map(text => text.slice(2)))
  const ranges: { first: string; last: string }[] = []
  const written = texts
    .filter(text => !text.startsWith('--'))
    .map(text => {
      const [first = '', last = first] = text.split('/')
      return { first, last }
    })
    .sort((a, b) => (a.first < b.first ? -1 : 1))
  for (const range of written) {
    const before = ranges.at(-1)
    if (before && range.first <= before.last) before.last = before.last > range.last ? before.last : range.last
    else ranges.push(range)
  }
  return date => {
    if (everyYear.has(date.slice(5))) return true
    let [low, high] = [0, ranges.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ranges[middle]?.first ?? '') <= date) low = middle + 1
      else high = middle
    }
    return (ranges[low - 1]?.last ?? '') >= date && low > 0
  }
}
