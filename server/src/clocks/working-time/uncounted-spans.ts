import { type Calendar, type DayReason, dayReader } from '../calendar/calendar.ts'
import { clip, type TimeSpan } from './time-span.ts'
import { instantOfLocal, zoneOffsets } from './zone-offsets.ts'

const day = 86_400_000

/** A span of time that does not count, and why. */
export interface UncountedSpan extends TimeSpan {
  because: DayReason
  name?: string
}

/** Why a span of time does not count on a calendar, by days of the calendar's timezone. */
export function uncountedSpans(calendar: Calendar, { from, to }: TimeSpan): UncountedSpan[] {
  const read = dayReader(calendar)
  const offsets = zoneOffsets(calendar.timezone, from - 3 * day, to + 3 * day)
  const found: UncountedSpan[] = []
  for (let date = Math.floor(from / day) * day - day; date <= to + day; date += day) {
    const at = new Date(date)
    const { hours: _, ...why } = read(at.toISOString().slice(0, 10), at.getUTCDay() || 7)
    const within = { from: instantOfLocal(offsets, date, false), to: instantOfLocal(offsets, date + day, false) }
    for (const span of clip(within, { from, to })) {
      const before = found.at(-1)
      const same = before?.because === why.because && before.name === why.name
      if (same && before.to === span.from) before.to = span.to
      else found.push({ ...span, ...why })
    }
  }
  return found
}
