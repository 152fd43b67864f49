import { Temporal } from 'temporal-polyfill'
import { type Fault, fault } from '../kernel/refusal.ts'

/** The input for a time entry: its length, or its start and end. */
interface TimeInput {
  date?: string | null
  start?: string | null
  end?: string | null
  minutes?: number | null
  hours?: number | null
}

/** A time entry as stored: a local day and whole minutes. */
export interface EntrySpan {
  date: string
  start: string | null
  end: string | null
  minutes: number
}

/** One month without sleep: a longer entry is a typing error. */
export const maxMinutes = 31 * 24 * 60

/**
 * Computes the day and the length. The day is local to the user: an entry that starts at 23:30 in Auckland belongs to
 * that day in Auckland, whatever day it is in UTC.
 */
export function readTimeSpan(
  input: TimeInput,
  { timezone, now }: { timezone: string; now: Date },
  path: (string | number)[] = [],
): EntrySpan | Fault[] {
  const faults: Fault[] = []
  const start = input.start ? new Date(input.start) : undefined
  const end = input.end ? new Date(input.end) : undefined
  const minutes =
    input.minutes ?? (input.hours === undefined || input.hours === null ? undefined : Math.round(input.hours * 60))
  const elapsed = start && end ? Math.round((end.getTime() - start.getTime()) / 60_000) : undefined
  const length = minutes ?? elapsed
  if (start && end && end < start) faults.push(fault([...path, 'end'], 'range', 'must not be before start', input.end))
  else if (length === undefined)
    faults.push(fault([...path, 'minutes'], 'required', 'is required: minutes, hours, or start and end'))
  else if (length < 0 || length > maxMinutes)
    faults.push(
      fault(
        [
          ...path,
          minutes === undefined ? 'end' : input.minutes === undefined || input.minutes === null ? 'hours' : 'minutes',
        ],
        'range',
        `must be a length from 0 to ${maxMinutes} minutes`,
        minutes,
      ),
    )
  if (faults.length > 0 || length === undefined) return faults
  return {
    date: input.date || localDay(start ?? now, timezone),
    start: start?.toISOString() ?? null,
    end: end?.toISOString() ?? null,
    minutes: length,
  }
}

/** The local day at this time. */
export function localDay(moment: Date, timezone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(timezone || 'UTC')
    .toPlainDate()
    .toString()
}
