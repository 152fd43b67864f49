import { Temporal } from 'temporal-polyfill'
import type { Ago } from './rows/sample-rows.ts'

const isWeekend = (day: Temporal.PlainDate) => day.dayOfWeek > 5

/** The day that is so many working days (Monday to Friday) from this one; negative ones are before it. */
export function workday(today: Temporal.PlainDate, distance: number): Temporal.PlainDate {
  const step = { days: distance < 0 ? -1 : 1 }
  let day = today
  for (let left = Math.abs(distance); left > 0; ) {
    day = day.add(step)
    if (!isWeekend(day)) left--
  }
  return day
}

export const dayOf = (now: Date) => Temporal.Instant.from(now.toISOString()).toZonedDateTimeISO('UTC').toPlainDate()

/** An hour of a working day, or so many hours before now; always before now. */
export function momentOf(now: Date, ago: Ago, hour: number): Date {
  if ('hours' in ago) return new Date(now.getTime() - ago.hours * 3_600_000)
  // Hours of the present day may be still to come, so that “today” is a few minutes ago.
  if (ago.days === 0) return new Date(now.getTime() - (24 - hour) * 60_000)
  const day = workday(dayOf(now), -ago.days)
  return new Date(`${day.toString()}T${String(hour).padStart(2, '0')}:00:00.000Z`)
}

/** The Monday of the week of this day. */
export function mondayOf(day: Temporal.PlainDate): Temporal.PlainDate {
  return day.subtract({ days: day.dayOfWeek - 1 })
}
