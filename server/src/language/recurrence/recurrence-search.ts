import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { nextPossibleDay, type RuleParts } from './recurrence-days.ts'

// The search for the next occurrence of a rule in the calendar library.

/** A rule without an occurrence in this number of periods from a day on which it can hold counts as empty. */
const maxTries: Record<string, number> = {
  YEARLY: 100,
  MONTHLY: 400,
  WEEKLY: 400,
  DAILY: 400,
  HOURLY: 60,
  MINUTELY: 60,
}

/** The periods that are tried for another time on the day of the last occurrence. */
const maxTriesOfDay: Record<string, number> = { ...maxTries, DAILY: 5 }

export const dayMs = 86_400_000

/** Opens a rule in the calendar library, which tries at most so many periods. */
export function openRule(parts: RuleParts, dtstart: Temporal.ZonedDateTime, maxIterations: number): RRuleTemporal {
  const rruleString = [...parts].map(part => part.join('=')).join(';')
  return new RRuleTemporal({ rruleString, dtstart, maxIterations })
}

/** Returns the function that finds the first occurrence after a moment. */
export function openSearch(parts: RuleParts, dtstart: Temporal.ZonedDateTime) {
  const frequency = parts.get('FREQ') ?? ''
  const nextAfter = searchWithin(openRule(parts, dtstart, maxTries[frequency] ?? 1))
  const nextOfDay = parts.has('BYSETPOS')
    ? nextAfter
    : searchWithin(openRule(parts, dtstart, maxTriesOfDay[frequency] ?? 1))
  return (last: number) => {
    const from = Math.max(last, dtstart.epochMilliseconds)
    const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(dtstart.timeZoneId)
    const today = Math.floor((from + offsetNanoseconds / 1e6) / dayMs)
    const first = nextPossibleDay(parts, today)
    if (first === undefined) return undefined
    if (first === today) {
      const next = nextOfDay(last)
      if (next) return next
    }
    // The library tries each period between two possible days; it starts on the eve of the second instead.
    const second = first === today ? nextPossibleDay(parts, today + 1) : first
    return second === undefined ? undefined : nextAfter(Math.max(last, (second - 1) * dayMs))
  }
}

function searchWithin(times: RRuleTemporal) {
  return (moment: number) => {
    try {
      return times.next(new Date(moment)) ?? undefined
    } catch {
      return undefined // no occurrence within the tries
    }
  }
}
