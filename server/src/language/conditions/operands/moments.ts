import { Temporal } from 'temporal-polyfill'
import { unreadableRightSide } from '../condition-fault.ts'
import type { Viewer } from '../vocabulary.ts'

/** The meaning of a word such as `@today` or `2026-05-01T10:00Z`: a whole day, or a point in time. */
export type DayOrInstant = Temporal.PlainDate | Temporal.ZonedDateTime

export function readMoment(text: string, viewer: Viewer): DayOrInstant {
  const word = text.trim()
  return word.startsWith('@') ? readKeyword(word, viewer) : readLiteral(word, viewer)
}

// Weeks begin on Monday (ISO 8601).
const keywords = new Map<string, (today: Temporal.PlainDate) => Temporal.PlainDate>([
  ['today', today => today],
  ['yesterday', today => today.subtract({ days: 1 })],
  ['startofweek', today => today.subtract({ days: today.dayOfWeek - 1 })],
  ['endofweek', today => today.add({ days: 7 - today.dayOfWeek })],
  ['startofmonth', today => today.with({ day: 1 })],
  ['endofmonth', today => today.with({ day: today.daysInMonth })],
  ['startofyear', today => today.with({ month: 1, day: 1 })],
  ['endofyear', today => today.with({ month: 12, day: 31 })],
])

function readKeyword(word: string, viewer: Viewer): DayOrInstant {
  const [, name = '', shifts = ''] = /^@([a-z]+)((?:[+-]\d{1,6}[hdwmy])*)$/i.exec(word) ?? []
  const day = keywords.get(name.toLowerCase())
  if (!day && name.toLowerCase() !== 'now') throw unreadableRightSide(`${word} is not a known moment`)
  const start: DayOrInstant = day ? day(now(viewer).toPlainDate()) : now(viewer)
  return (shifts.match(/[+-]\d+[a-z]/gi) ?? []).reduce<DayOrInstant>(
    (moment, shift) => shifted(moment, shift, viewer),
    start,
  )
}

function shifted(moment: DayOrInstant, shift: string, viewer: Viewer): DayOrInstant {
  const amount = Number(shift.slice(0, -1))
  switch (shift.at(-1)?.toLowerCase()) {
    case 'h':
      return later(dayStart(moment, viewer), Temporal.Duration.from({ hours: amount }))
    case 'd':
      return later(moment, Temporal.Duration.from({ days: amount }))
    case 'w':
      return later(moment, Temporal.Duration.from({ weeks: amount }))
    case 'm':
      return later(moment, Temporal.Duration.from({ months: amount }))
    default:
      return later(moment, Temporal.Duration.from({ years: amount }))
  }
}

function dayStart(moment: DayOrInstant, viewer: Viewer): Temporal.ZonedDateTime {
  return moment instanceof Temporal.PlainDate ? moment.toZonedDateTime(zone(viewer)) : moment
}

function readLiteral(word: string, viewer: Viewer): DayOrInstant {
  const [, year, time, offset] =
    /^(\d{4})-\d\d-\d\d([t ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(z|[+-]\d\d:?\d\d)?$/i.exec(word) ?? []
  if (!year || year === '0000' || (offset && !time))
    throw unreadableRightSide('is not a date or a date and time of ISO 8601')
  return orUnreadable('is not a day or a time that exists', () => {
    if (!time) return Temporal.PlainDate.from(word)
    if (offset) return Temporal.Instant.from(word).toZonedDateTimeISO(zone(viewer))
    return Temporal.PlainDateTime.from(word).toZonedDateTime(zone(viewer))
  })
}

/** A non-negative ISO 8601 duration; one of a fixed length has neither years nor months. */
export function readDuration(text: string, which: 'any' | 'of a fixed length' = 'any'): Temporal.Duration {
  const duration = orUnreadable('is not a duration such as P7D', () => Temporal.Duration.from(text.trim()))
  if (duration.sign < 0) throw unreadableRightSide('is a negative duration')
  if (which === 'any') return duration
  if (duration.years || duration.months) throw unreadableRightSide('years and months differ in length')
  return orUnreadable('is too long', () => duration.with({ weeks: 0, days: duration.days + 7 * duration.weeks }))
}

function orUnreadable<T>(message: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) throw unreadableRightSide(message)
    throw error
  }
}

export function now(viewer: Viewer): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(viewer.now.getTime()).toZonedDateTimeISO(zone(viewer))
}

// An unset time zone, or one that this machine does not know, must not fail a whole list.
function zone(viewer: Viewer): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(viewer.timezone).timeZoneId
  } catch {
    return 'UTC'
  }
}

const firstDay = Temporal.PlainDate.from('0001-01-01')
const lastDay = Temporal.PlainDate.from('9999-12-31')

/** A moment beyond the range of the calendar becomes its first or last day. */
export function later(moment: DayOrInstant, duration: Temporal.Duration): DayOrInstant {
  try {
    return moment.add(duration)
  } catch {
    return duration.sign < 0 ? firstDay : lastDay
  }
}

/** The first and the last value that a moment covers, within the years that PostgreSQL accepts: 0001 to 9999. */
export function spanOf(
  kind: 'date' | 'instant',
  moment: DayOrInstant,
  viewer: Viewer,
): { first: string; last: string } {
  if (kind === 'date') {
    const day = clampDay(moment instanceof Temporal.PlainDate ? moment : moment.toPlainDate())
    return { first: day.toString(), last: day.toString() }
  }
  if (moment instanceof Temporal.PlainDate) {
    const day = clampDay(moment)
    const next = dayStart(day.add({ days: 1 }), viewer)
    return {
      first: instant(dayStart(day, viewer).epochNanoseconds),
      last: instant(next.epochNanoseconds - microsecond),
    }
  }
  // Instants are shown to the millisecond, so they are compared at that precision.
  const first = BigInt(moment.epochMilliseconds) * millisecond
  return { first: instant(first), last: instant(first + millisecond - microsecond) }
}

function clampDay(day: Temporal.PlainDate): Temporal.PlainDate {
  if (Temporal.PlainDate.compare(day, firstDay) < 0) return firstDay
  return Temporal.PlainDate.compare(day, lastDay) > 0 ? lastDay : day
}

const microsecond = 1_000n
const millisecond = 1_000_000n
const firstInstant = Temporal.Instant.from('0001-01-01T00:00Z').epochNanoseconds
const lastInstant = Temporal.Instant.from('9999-12-31T23:59:59.999999Z').epochNanoseconds

function instant(nanoseconds: bigint): string {
  const clamped = nanoseconds < firstInstant ? firstInstant : nanoseconds > lastInstant ? lastInstant : nanoseconds
  return Temporal.Instant.fromEpochNanoseconds(clamped).toString({ fractionalSecondDigits: 6 })
}
