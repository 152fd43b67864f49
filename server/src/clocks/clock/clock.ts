import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { instantText } from '../../kernel/columns.ts'
import type { Context } from '../../kernel/context.ts'
import { complete, duplicateIds, withIds } from '../../kernel/entries.ts'
import type { Stored, Values } from '../../kernel/record.ts'
import { Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import type { Schema } from '../../kernel/shape.ts'
import { sql } from '../../kernel/sql.ts'
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
import { numbered } from '../../language/conditions/condition-ids.ts'
import { ConditionGroups } from '../../language/conditions/conditions.ts'
import { calendarProperties, everOpens, horizon } from '../calendar/calendar.ts'
import { calendarFaults, feedFaults, refuseTangledThresholds, startFaults } from './clock-faults.ts'
import { clockFindings } from './clock-findings.ts'
import { conditionNames } from './thresholds.ts'

const intervals = Type.Array(Part({ start: TimeOfDay, end: TimeOfDay }), { maxItems: 24 })

/** Ten years of minutes: nobody promises more. */
export const maxMinutes = 5_270_400

const target = {
  id: Text(100),
  kind: Code({
    description:
      '0 custom · 1 first response · 2 next response · 3 periodic update · 4 resolution · 5 requester wait · 6 agent work.',
  }),
  minutes: Count(maxMinutes),
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
  holidayCountry: Text(40, {
    description: 'Whose public holidays are days off: `DE`, `DE-BY`, `US-CA`, as ISO 3166 has it.',
    examples: ['DE-BY'],
  }),
  holidayFeed: Text(2048, {
    description: 'The address of an iCalendar file whose all-day events are days off; it is read once a day.',
  }),
  holidays: Parts({ date: LocalDate, name: Text(200), source: Text(20) }, ['date', 'name', 'source'], 3000),
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

/** A clock; how the reading of its feed goes is told where the record was read. */
export type Clock = Stored<typeof shape> & { holidayFeedState?: FeedState }
export type ClockValues = Values<typeof shape>
export type Target = ReturnType<typeof targetsOf>[number]

interface FeedState {
  fetchedAt: string | null
  lastError: string
  days: number
  ignored: number
}

const feedState: Schema = {
  type: 'object',
  description: 'How the reading of `holidayFeed` goes: when it last went well, what is wrong, and how many days came.',
  properties: {
    fetchedAt: { type: ['string', 'null'], format: 'date-time' },
    lastError: { type: 'string' },
    days: { type: 'integer' },
    ignored: { type: 'integer', description: 'Events with a time of day, which are no holidays.' },
  },
  required: ['fetchedAt', 'lastError', 'days', 'ignored'],
}

/** Business hours: which minutes count when a promise to a customer is measured. */
export const clocks = resource('Clock', {
  about:
    'A business clock: which minutes count when a promise to a customer is measured, what is promised, and when it starts, rests and ends. A shift that ends at or before its start goes on into the next morning; days off are `2026-12-25`, every year’s `--12-25`, or `2026-12-24/2026-12-31`. `schedule` gives weekdays hours of their own, `exceptions` single dates. Holidays come by themselves from `holidayCountry` and `holidayFeed`; `holidays` tells which, from last year to the fifth ahead.',
  shape,
  serverSet: ['holidays'],
  derived: {
    holidayFeedState: {
      schema: Type.Unsafe<FeedState>(feedState),
      value:
        k => sql`coalesce((select json_build_object('fetchedAt', ${instantText(sql`f.fetched_at`)}, 'lastError', f.last_error, 'days', f.days, 'ignored', f.timed)
        from clock_feed f where f.tenant_id = ${k}.tenant_id and f.clock_id = ${k}.id), '{"fetchedAt": null, "lastError": "", "days": 0, "ignored": 0}'::json)`,
    },
  },
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
    ...feedFaults(ctx, clock.holidayFeed, before?.holidayFeed),
  ]
  if (faults.length > 0) throw new Invalid(faults)
  refuseTangledThresholds(clock)
  // A calendar that stays as it is has opened once, and is not refused for the time that has gone by.
  const changed = !before || calendarProperties.some(each => !isDeepStrictEqual(clock[each], before[each]))
  if (changed && !everOpens(clock, ctx.now)) {
    throw new RuleBroken('clock-never-open', `the clock has no working minute in ${horizon} days`)
  }
}
