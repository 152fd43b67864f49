import { Temporal } from 'temporal-polyfill'
import { weekday as dayOf } from '../../kernel/schema/formats.ts'
import { occurrences } from '../../language/recurrence/recurrence.ts'
import { interval as intervalCode, minIntervalMinutes } from './notification-codes.ts'

/** When a notification runs: by a code of `interval`, or by a recurrence rule. */
export interface Cadence {
  active: boolean
  interval: number
  at: string
  weekday: string
  timezone: string
  schedule: string
}

export const cadenceProperties = ['active', 'container', 'interval', 'at', 'weekday', 'timezone', 'schedule'] as const

/** The values of its surroundings that a cadence depends on. */
export interface Anchor {
  /** The start of the fortnights and of recurrence rules. */
  created: Date
  /** The time zone for a cadence that names none. */
  timezone: string
  /** Tells whether a date, such as `2026-03-31` with weekday 2, is a working day; Monday to Friday by default. */
  worked?: ((date: string, weekday: number) => boolean) | undefined
}

const minute = 60_000
/** The shortest time between two runs by a recurrence rule. */
const minGap = 15 * minute
const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
/** The search for a working day ends after this many days. */
const maxDaysSearched = 400

/** Returns the next run after the given time, or undefined if the notification does not run by time. */
export function nextRunAfter(cadence: Cadence, anchor: Anchor, after: Date): Date | undefined {
  const { active, interval, schedule } = cadence
  if (!active) return undefined
  const every = schedule === '' ? minutesOf(interval) : 0
  if (every > 0) return new Date((Math.floor(after.getTime() / (every * minute)) + 1) * every * minute)
  const rule = schedule || ruleOf(cadence)
  if (!rule) return undefined
  if (schedule === '' && interval === intervalCode.workingDay) return nextWorked(cadence, anchor, rule, after)
  const [next] = times(cadence, anchor, rule, schedule === '' ? after : new Date(after.getTime() + minGap - 1), 1)
  return next && new Date(next.epochMilliseconds)
}

/** The period of an interval that is counted in minutes; 0 for the others. */
function minutesOf(interval: number): number {
  if (interval === intervalCode.quarterHourly) return 15
  if (interval === intervalCode.hourly) return 60
  return interval >= minIntervalMinutes ? interval : 0
}

function ruleOf({ interval, weekday }: Cadence): string | undefined {
  const day = days[(dayOf(weekday) ?? 1) - 1]
  const first = weekday === '' ? 'BYMONTHDAY=1' : `BYDAY=1${day}`
  return {
    [intervalCode.daily]: 'FREQ=DAILY',
    [intervalCode.workingDay]: 'FREQ=DAILY',
    [intervalCode.weekly]: `FREQ=WEEKLY;BYDAY=${day}`,
    [intervalCode.fortnightly]: `FREQ=WEEKLY;INTERVAL=2;BYDAY=${day}`,
    [intervalCode.monthly]: `FREQ=MONTHLY;${first}`,
    [intervalCode.quarterly]: `FREQ=YEARLY;BYMONTH=1,4,7,10;${first}`,
  }[interval]
}

/**
 * Returns the next runs. They are computed in local time and then placed in the time zone: a local time that the zone skips
 * moves forward by the gap, and one that occurs twice counts the first time.
 */
function times(cadence: Cadence, anchor: Anchor, rule: string, after: Date, count: number): Temporal.ZonedDateTime[] {
  const timezone = cadence.timezone || anchor.timezone
  const wall = (at: Date) =>
    Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone).toPlainDateTime()
  // Hourly and minutely rules start on the current day, because counting them from the creation date would be slow.
  const often = /FREQ=(MINUTELY|HOURLY)/i.test(rule) && !/COUNT=/i.test(rule)
  const day = wall(often ? after : anchor.created)
    .toPlainDate()
    .toString()
  const at = cadence.at === '' ? '08:00' : cadence.at.replace(/^24/, '00')
  const from = new Date(wall(after).toZonedDateTime('UTC').epochMilliseconds)
  return occurrences({ rule, day, at, timezone: 'UTC' }, from, count + 1)
    .map(each => each.toPlainDateTime().toZonedDateTime(timezone))
    .filter(each => each.epochMilliseconds > after.getTime())
    .slice(0, count)
}

/** The working days where no clock defines them: Monday to Friday. */
export const isWeekday = (_date: string, weekday: number): boolean => weekday <= 5

function nextWorked(cadence: Cadence, anchor: Anchor, rule: string, after: Date): Date | undefined {
  const { worked = isWeekday } = anchor
  for (let last = after, i = 0; i < maxDaysSearched; i += 20) {
    const some = times(cadence, anchor, rule, last, 20)
    const next = some.find(each => worked(each.toPlainDate().toString(), each.dayOfWeek))
    if (next) return new Date(next.epochMilliseconds)
    const end = some.at(-1)
    if (!end) return undefined
    last = new Date(end.epochMilliseconds)
  }
  return undefined
}
