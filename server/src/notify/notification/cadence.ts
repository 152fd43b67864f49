import { Temporal } from 'temporal-polyfill'
import { weekday as dayOf } from '../../kernel/schema/formats.ts'
import { occurrences } from '../../language/recurrence.ts'
import { interval as intervalCode, minIntervalMinutes } from './notification-codes.ts'

/** When a question is asked: by a code, or by a recurrence rule. */
export interface Cadence {
  active: boolean
  interval: number
  at: string
  weekday: string
  timezone: string
  schedule: string
}

export const cadenceProperties = ['active', 'container', 'interval', 'at', 'weekday', 'timezone', 'schedule'] as const

/** What the times are counted from. */
export interface Anchor {
  /** The day on which a fortnight or a rule of one's own begins. */
  created: Date
  /** The zone of whoever has named none. */
  timezone: string
  /** Whether a day, `2026-03-31` with 2 for its weekday, is worked; from Monday to Friday, if nobody says. */
  worked?: ((date: string, weekday: number) => boolean) | undefined
}

const minute = 60_000
/** Nobody is asked more often, whatever a rule says. */
const least = 15 * minute
const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
/** So many days without work, and there is none. */
const patience = 400

/** The next time after a moment; none where it is not asked by the clock. */
export function nextRunAfter(cadence: Cadence, anchor: Anchor, after: Date): Date | undefined {
  const { active, interval, schedule } = cadence
  if (!active) return undefined
  const every = schedule === '' ? minutesOf(interval) : 0
  if (every > 0) return new Date((Math.floor(after.getTime() / (every * minute)) + 1) * every * minute)
  const rule = schedule || ruleOf(cadence)
  if (!rule) return undefined
  if (schedule === '' && interval === intervalCode.workingDay) return nextWorked(cadence, anchor, rule, after)
  const [next] = times(cadence, anchor, rule, schedule === '' ? after : new Date(after.getTime() + least - 1), 1)
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
 * The next times on the wall, each put into the zone at last: a wall time that the zone skips comes as much later, one that
 * it has twice comes first time round.
 */
function times(cadence: Cadence, anchor: Anchor, rule: string, after: Date, count: number): Temporal.ZonedDateTime[] {
  const timezone = cadence.timezone || anchor.timezone
  const wall = (at: Date) =>
    Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone).toPlainDateTime()
  // Rules of hours and minutes are counted from the day at hand: counting from long ago would take long.
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

/** From Monday to Friday, where no clock says more. */
export const isWeekday = (_date: string, weekday: number): boolean => weekday <= 5

function nextWorked(cadence: Cadence, anchor: Anchor, rule: string, after: Date): Date | undefined {
  const { worked = isWeekday } = anchor
  for (let last = after, i = 0; i < patience; i += 20) {
    const some = times(cadence, anchor, rule, last, 20)
    const next = some.find(each => worked(each.toPlainDate().toString(), each.dayOfWeek))
    if (next) return new Date(next.epochMilliseconds)
    const end = some.at(-1)
    if (!end) return undefined
    last = new Date(end.epochMilliseconds)
  }
  return undefined
}
