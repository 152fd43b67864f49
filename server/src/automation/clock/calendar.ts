import { Temporal } from 'temporal-polyfill'
import { isDate, weekday } from '../../kernel/formats.ts'

/** The part of a clock that says when it is open, as people write it. */
export interface Calendar {
  timezone: string
  dayStart: string
  dayEnd: string
  weekStart: string
  weekEnd: string
  nonWorkingDay: readonly string[]
}

/** How far ahead an opening is looked for. */
export const horizon = 400

/** Whether a text is a day off: `2026-12-25`, every year's `--12-25`, or a range `2026-12-24/2026-12-31`. */
export function isDayOff(text: string): boolean {
  if (/^--\d\d-\d\d$/.test(text)) return isDate(`2024${text.slice(1)}`)
  const [first = '', last = first, ...rest] = text.split('/')
  return isDate(first) && isDate(last) && first <= last && rest.length === 0
}

/** The days that are worked, 1 for Monday to 7; a week may wrap, from Sunday to Thursday. */
export function workingDays({ weekStart, weekEnd }: Calendar): ReadonlySet<number> {
  const start = weekday(weekStart) ?? 1
  const end = weekday(weekEnd) ?? ((start + 5) % 7) + 1 // without an end, the week is whole
  const length = ((end - start + 7) % 7) + 1
  return new Set(Array.from({ length }, (_, i) => ((start - 1 + i) % 7) + 1))
}

/**
 * Whether any day from now on, up to the horizon, is worked. Every shift is longer than nothing (one that ends where it
 * begins goes round the clock), so a day that is worked is open.
 */
export function everOpens(calendar: Calendar, now: Date): boolean {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(calendar.timezone || 'UTC')
    .toPlainDate()
  const worked = workingDays(calendar)
  const { everyYear, ranges } = daysOff(calendar.nonWorkingDay)
  let next = 0
  let offUntil = ''
  for (let i = 0; i < horizon; i++) {
    const day = today.add({ days: i })
    const date = day.toString()
    for (; (ranges[next]?.first ?? '~') <= date; next++) {
      const last = ranges[next]?.last ?? ''
      if (last > offUntil) offUntil = last
    }
    if (worked.has(day.dayOfWeek) && date > offUntil && !everyYear.has(date.slice(5))) return true
  }
  return false
}

/** The ranges by their first day, so that one walk along the days meets each of them once. */
function daysOff(texts: readonly string[]): {
  everyYear: ReadonlySet<string>
  ranges: { first: string; last: string }[]
} {
  const everyYear = new Set(texts.filter(text => text.startsWith('--')).map(text => text.slice(2)))
  const ranges = texts
    .filter(text => !text.startsWith('--'))
    .map(text => {
      const [first = '', last = first] = text.split('/')
      return { first, last }
    })
    .sort((a, b) => (a.first < b.first ? -1 : 1))
  return { everyYear, ranges }
}
