import type { Context } from '../../kernel/context.ts'
import { type Fault, fault, RuleBroken } from '../../kernel/refusal.ts'
import { isDate } from '../../kernel/schema/formats.ts'
import { urlFault } from '../../platform/outbound/outbound.ts'
import { isDayOff } from '../calendar/calendar.ts'
import { feedUrl } from '../holiday/holiday.ts'
import type { ClockValues } from './clock-shape.ts'

// What is invalid in a clock, property by property.

export function calendarFaults({ dayStart, nonWorkingDay, schedule, exceptions }: ClockValues): Fault[] {
  const faults = nonWorkingDay.flatMap((text, i) =>
    isDayOff(text)
      ? []
      : [
          fault(
            ['nonWorkingDay', i],
            'day-off',
            'must be 2026-12-25, --12-25 for every year, or 2026-12-24/2026-12-31',
            text,
          ),
        ],
  )
  if (dayStart.startsWith('24')) faults.push(fault(['dayStart'], 'time-of-day', 'a day begins before 24:00', dayStart))
  const startFaultsIn = (at: string, i: number, given: readonly { start?: string }[] = []) =>
    given.flatMap(({ start = '' }, n) =>
      start.startsWith('24')
        ? [fault([at, i, 'intervals', n, 'start'], 'time-of-day', 'a shift begins before 24:00', start)]
        : [],
    )
  const dates = new Set<string>()
  for (const [i, each] of schedule.entries()) faults.push(...startFaultsIn('schedule', i, each.intervals))
  for (const [i, each] of exceptions.entries()) {
    faults.push(...startFaultsIn('exceptions', i, each.intervals))
    const date = each.date ?? ''
    if (!isDate(date)) faults.push(fault(['exceptions', i, 'date'], 'date', 'must be a date such as 2026-03-31', date))
    else if (dates.has(date)) faults.push(fault(['exceptions', i, 'date'], 'duplicate', 'occurs twice', date))
    dates.add(date)
  }
  return faults
}

export function startFaults(startFrom: string): Fault[] {
  if (/^(|event|created|field:\S.*)$/.test(startFrom)) return []
  return [fault(['startFrom'], 'start-from', 'must be event, created, or field: and a path', startFrom)]
}

export function feedFaults({ services }: Context, holidayFeed: string, before: string | undefined): Fault[] {
  const wrong =
    holidayFeed === '' || holidayFeed === before ? undefined : urlFault(feedUrl(holidayFeed), services.outboundRules)
  return wrong === undefined ? [] : [fault(['holidayFeed'], 'url', wrong, holidayFeed)]
}

/** Rising thresholds are elapsed time, falling ones remaining time, 0 is not set. In any other order the states would overlap. */
export function refuseUnorderedThresholds({ greenThreshold, amberThreshold, redThreshold }: ClockValues): void {
  const set = [greenThreshold, amberThreshold, redThreshold].filter(each => each > 0)
  const ordered = (holds: (a: number, b: number) => boolean) =>
    set.every((each, i) => i === 0 || holds(set[i - 1] ?? 0, each))
  if (ordered((a, b) => a <= b) || ordered((a, b) => a >= b)) return
  const message = 'the thresholds must rise from green to red, or fall'
  throw new RuleBroken('thresholds-tangled', message, [
    fault(['amberThreshold'], 'thresholds-tangled', message, amberThreshold),
  ])
}
