import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { ConditionGroups } from '../../kernel/conditions/conditions.ts'
import { numbered } from '../../kernel/conditions/numbered.ts'
import type { Context } from '../../kernel/database.ts'
import { complete, duplicateIds, withIds } from '../../kernel/entries.ts'
import { isDate } from '../../kernel/formats.ts'
import { type Fault, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource, type Stored, type Values } from '../../kernel/resource.ts'
import {
  Code,
  Count,
  Instant,
  LocalDate,
  Name,
  Part,
  Parts,
  Refs,
  Text,
  Texts,
  TimeOfDay,
  Timezone,
  Weekday,
} from '../../kernel/values.ts'
import { calendarProperties, everOpens, horizon, isDayOff } from './calendar.ts'
import { clockFindings } from './clock-findings.ts'
import { conditionNames } from './lights.ts'

const intervals = Type.Array(Part({ start: TimeOfDay, end: TimeOfDay }), { maxItems: 24 })

/** Ten years of minutes: nobody promises more. */
export const mostMinutes = 5_270_400

const target = {
  id: Text(100),
  kind: Code({
    description:
      '0 custom · 1 first response · 2 next response · 3 periodic update · 4 resolution · 5 requester wait · 6 agent work.',
  }),
  minutes: Count(mostMinutes),
  conditionGroup: ConditionGroups,
  calendarTime: Type.Boolean({ description: 'Counts every minute, not the working ones alone.' }),
}

const shape = {
  name: Name(120),
  container: Refs('Container'),
  timezone: Timezone,
  dayStart: TimeOfDay,
  dayEnd: TimeOfDay,
  weekStart: Weekday,
  weekEnd: Weekday,
  nonWorkingDay: Texts(1000, 40),
  tick: Count(1440),
  greenThreshold: Count(),
  amberThreshold: Count(),
  redThreshold: Count(),
  schedule: Parts({ day: Count(7, 1), intervals }, ['day'], 7),
  exceptions: Parts({ date: LocalDate, intervals }, ['date'], 1000),
  targets: Parts(target, [], 50),
  thresholdMode: Code({ description: '0 ticks elapsed · 1 percent of the target · 2 ticks remaining.' }),
  start: ConditionGroups,
  pause: ConditionGroups,
  resume: ConditionGroups,
  stop: ConditionGroups,
  reset: ConditionGroups,
  cancel: ConditionGroups,
  startFrom: Text(200, { description: '`event`, `created`, or `field:` and a path: since when time counts.' }),
  order: Code(),
  active: Type.Boolean({ default: true }),
  parallel: Type.Boolean(),
  effectiveFrom: Instant,
}

export type Clock = Stored<typeof shape>
export type ClockValues = Values<typeof shape>
export type Target = ReturnType<typeof targetsOf>[number]

/** Business hours: which minutes count when a promise to a customer is measured. */
export const clocks = resource('Clock', {
  about:
    'A business clock: which minutes count when a promise to a customer is measured, what is promised, and when it starts, rests and ends. A shift that ends at or before its start goes on into the next morning; days off are `2026-12-25`, every year’s `--12-25`, or `2026-12-24/2026-12-31`. `schedule` gives weekdays hours of their own, `exceptions` single dates.',
  shape,
  check: checkClock,
  findings: clockFindings,
  remembered: true,
})

/** The targets with nothing left out. */
export function targetsOf({ targets }: Pick<ClockValues, 'targets'>) {
  return complete(target, targets)
}

/** What is stored: every target has an id by which its cycles are known, every condition one for traces. */
export function tidied(values: Partial<ClockValues>, before: Pick<ClockValues, 'targets'> = { targets: [] }) {
  const kept: Partial<ClockValues> = { ...values }
  for (const each of conditionNames) {
    const groups = values[each]
    if (groups) kept[each] = numbered(groups)
  }
  if (values.targets)
    kept.targets = withIds(
      complete(target, values.targets).map(each => ({ ...each, conditionGroup: numbered(each.conditionGroup) })),
      targetsOf(before),
      ({ kind, minutes }) => `${kind} ${minutes}`,
    )
  return kept
}

/** Refuses hours and thresholds that make no sense. */
export function checkClock(ctx: Context, clock: ClockValues, before: Clock | undefined): void {
  const faults = [
    ...calendarFaults(clock),
    ...duplicateIds(targetsOf(clock), 'targets'),
    ...startFaults(clock.startFrom),
  ]
  if (faults.length > 0) throw new Invalid(faults)
  refuseTangledThresholds(clock)
  // A calendar that stays as it is has opened once, and is not refused for the time that has gone by.
  const changed = !before || calendarProperties.some(each => !isDeepStrictEqual(clock[each], before[each]))
  if (changed && !everOpens(clock, ctx.now)) {
    throw new RuleBroken('clock-never-open', `the clock has no working minute in ${horizon} days`)
  }
}

function calendarFaults({ dayStart, nonWorkingDay, schedule, exceptions }: ClockValues): Fault[] {
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
  const late = (at: string, i: number, given: readonly { start?: string }[] = []) =>
    given.flatMap(({ start = '' }, n) =>
      start.startsWith('24')
        ? [fault([at, i, 'intervals', n, 'start'], 'time-of-day', 'a shift begins before 24:00', start)]
        : [],
    )
  const dates = new Set<string>()
  for (const [i, each] of schedule.entries()) faults.push(...late('schedule', i, each.intervals))
  for (const [i, each] of exceptions.entries()) {
    faults.push(...late('exceptions', i, each.intervals))
    const date = each.date ?? ''
    if (!isDate(date)) faults.push(fault(['exceptions', i, 'date'], 'date', 'must be a date such as 2026-03-31', date))
    else if (dates.has(date)) faults.push(fault(['exceptions', i, 'date'], 'duplicate', 'is there already', date))
    dates.add(date)
  }
  return faults
}

function startFaults(startFrom: string): Fault[] {
  if (/^(|event|created|field:\S.*)$/.test(startFrom)) return []
  return [fault(['startFrom'], 'start-from', 'must be event, created, or field: and a path', startFrom)]
}

/** Rising thresholds are time spent, falling ones time left; 0 is not set. Anything else tells no light from another. */
function refuseTangledThresholds({ greenThreshold, amberThreshold, redThreshold }: ClockValues): void {
  const set = [greenThreshold, amberThreshold, redThreshold].filter(each => each > 0)
  const ordered = (holds: (a: number, b: number) => boolean) =>
    set.every((each, i) => i === 0 || holds(set[i - 1] ?? 0, each))
  if (ordered((a, b) => a <= b) || ordered((a, b) => a >= b)) return
  const message = 'the thresholds must rise from green to red, or fall'
  throw new RuleBroken('thresholds-tangled', message, [
    fault(['amberThreshold'], 'thresholds-tangled', message, amberThreshold),
  ])
}
