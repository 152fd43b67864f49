import { Temporal } from 'temporal-polyfill'
import { type Fault, fault } from '../kernel/refusal.ts'
import { instantOf } from '../kernel/schema/formats.ts'

/** The input for a time entry: its length in one of three units, or its start and end. */
export interface TimeInput {
  date?: string | null
  start?: string | null
  end?: string | null
  seconds?: number | null
  minutes?: number | null
  hours?: number | null
}

/** A time entry as stored: a local day and whole seconds. `minutes` are the rounded seconds. */
export interface EntrySpan {
  date: string
  start: string | null
  end: string | null
  seconds: number
  minutes: number
}

/** The span of a stored entry; only a record that is not stored yet lacks the day. */
type StoredSpan = Omit<EntrySpan, 'date'> & { date: string | null }

/** One month without sleep: a longer entry is a typing error. */
export const maxMinutes = 31 * 24 * 60
export const maxSeconds = maxMinutes * 60

/** Whole minutes, rounded half away from zero, as PostgreSQL computes the column. */
export function minutesOf(seconds: number): number {
  return Math.sign(seconds) * Math.round(Math.abs(seconds) / 60)
}

/**
 * Computes the day and the length. The day is local to the user: an entry that starts at 23:30 in Auckland belongs to
 * that day in Auckland, whatever day it is in UTC. A value that equals the one of `before` counts as absent, because
 * clients send whole records back after they changed one property.
 */
export function readTimeSpan(
  input: TimeInput,
  { timezone, now, before }: { timezone: string; now: Date; before?: StoredSpan | undefined },
  path: (string | number)[] = [],
): EntrySpan | Fault[] {
  const start = instantIn(input.start, before?.start ?? null)
  const end = instantIn(input.end, before?.end ?? null)
  if (start && end && end < start)
    return [
      fault([...path, input.end ? 'end' : 'start'], 'range', 'must not be before start', input.end ?? input.start),
    ]
  const lengths = lengthsIn(input, { start, end }, before)
  const [length] = lengths
  const seconds = length?.seconds ?? before?.seconds
  if (seconds === undefined)
    return [fault([...path, 'minutes'], 'required', 'is required: seconds, minutes, hours, or start and end')]
  const faults = lengths.flatMap(each => lengthFaults(each, seconds, path))
  if (faults.length > 0) return faults
  const keepsEnd = length === undefined || length.unit === 'end'
  return {
    date: dayOf(input, start, before) || localDay(start ? new Date(start) : now, timezone),
    start,
    end: keepsEnd || !start || !end ? end : new Date(Date.parse(start) + seconds * 1000).toISOString(),
    seconds,
    minutes: minutesOf(seconds),
  }
}

/** A length that the input gives, in the unit that it is given in. */
interface GivenLength {
  unit: 'seconds' | 'end' | 'hours' | 'minutes'
  value: unknown
  seconds: number
  /** Whether this many seconds are the same length, as exactly as the unit tells. */
  agrees: (seconds: number) => boolean
}

/** The lengths that the input gives and that are not those of before, the most exact one first. */
function lengthsIn(
  { seconds, minutes, hours, ...given }: TimeInput,
  { start, end }: { start: string | null; end: string | null },
  before: StoredSpan | undefined,
): GivenLength[] {
  const found: GivenLength[] = []
  if (typeof hours === 'number' && hours !== (before && hoursOf(before.seconds))) {
    const rounded = Math.round(hours * 3600)
    const agrees = (other: number) => rounded === other || hours === hoursOf(other)
    found.push({ unit: 'hours', value: hours, seconds: rounded, agrees })
  }
  if (typeof minutes === 'number' && minutes !== before?.minutes)
    found.push({
      unit: 'minutes',
      value: minutes,
      seconds: minutes * 60,
      agrees: other => minutes === minutesOf(other),
    })
  const measured = typeof seconds === 'number' && seconds !== before?.seconds
  const isMoved = end !== before?.end || (start !== before?.start && !measured && found.length === 0)
  if (start && end && isMoved) {
    const elapsed = (Date.parse(end) - Date.parse(start)) / 1000
    found.unshift({ unit: 'end', value: given.end, seconds: elapsed, agrees: other => other === elapsed })
  }
  if (measured) found.unshift({ unit: 'seconds', value: seconds, seconds, agrees: other => other === seconds })
  return found
}

function lengthFaults(
  { unit, value, seconds, agrees }: GivenLength,
  chosen: number,
  path: (string | number)[],
): Fault[] {
  if (seconds < 0 || seconds > maxSeconds)
    return [fault([...path, unit], 'range', `must be a length from 0 to ${maxMinutes} minutes`, value)]
  if (agrees(chosen)) return []
  return [fault([...path, unit], 'duration-conflict', `is another length than the given ${chosen} seconds`, value)]
}

/** The day that the input decides; a new start decides it, too, unless another day is given. */
function dayOf({ date, start: given }: TimeInput, start: string | null, before: StoredSpan | undefined): string | null {
  if (!before) return date ?? null
  if (date && date !== before.date) return date
  return given !== undefined && start !== before.start && start !== null ? null : before.date
}

function hoursOf(seconds: number): number {
  return Math.round((seconds / 3600) * 10_000) / 10_000
}

/** Fractions of a second are dropped, so that a length is whole seconds. */
function instantIn(given: string | null | undefined, before: string | null): string | null {
  if (given === undefined) return before
  const instant = given && instantOf(given)
  return !instant || instant === before ? instant || null : instant.replace(/\.\d+Z$/, '.000Z')
}

/** The local day at this time. */
export function localDay(moment: Date, timezone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(timezone || 'UTC')
    .toPlainDate()
    .toString()
}
