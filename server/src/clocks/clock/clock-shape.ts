import { Type } from 'typebox'
import type { Stored, Values } from '../../kernel/record/record.ts'
import {
  Count,
  Instant,
  Integer,
  LocalDate,
  Name,
  Part,
  Parts,
  Ref,
  Refs,
  Text,
  Texts,
  TimeOfDay,
  Timezone,
  Weekday,
} from '../../kernel/schema/values.ts'
import { ConditionGroups } from '../../language/conditions/conditions.ts'
import { targetKinds, thresholdModes } from '../../records/clock-codes.ts'
import { Code } from '../../records/code-table.ts'
import { complete } from '../../records/input/entries.ts'

const intervals = Type.Array(Part({ start: TimeOfDay, end: TimeOfDay }), { maxItems: 24 })

/** The most regions of a clock. */
const maxRegions = 20

/** The longest target: ten years of minutes. */
export const maxMinutes = 5_270_400

/** A target of a clock: what is measured, and how long it may take. */
export const targetShape = {
  id: Text(100),
  kind: Code(targetKinds, {
    description:
      '0 custom · 1 first response · 2 next response · 3 periodic update · 4 resolution · 5 requester wait · 6 agent work.',
  }),
  minutes: Count(maxMinutes),
  conditionGroup: ConditionGroups,
  calendarTime: Type.Boolean({ description: 'Counts every minute, not only the working ones.' }),
}

export const clockShape = {
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
    description: 'The country or region whose public holidays are days off, by ISO 3166: `DE`, `DE-BY`, `US-CA`.',
    examples: ['DE-BY'],
  }),
  holidayFeed: Text(2048, {
    description: 'The address of an iCalendar file whose all-day events are days off; it is read once a day.',
  }),
  holidays: Parts({ date: LocalDate, name: Text(200), source: Text(20) }, ['date', 'name', 'source'], 3000),
  regions: Parts(
    {
      name: Name(120),
      clockId: Ref('Clock', {
        minLength: 1,
        description: 'The clock whose hours, time zone and holidays the region has.',
      }),
      groupId: Ref('UserGroup', { description: 'The user group that is responsible in the hours of the region.' }),
    },
    ['name', 'clockId'],
    maxRegions,
  ),
  targets: Parts(targetShape, [], 50),
  thresholdMode: Code(thresholdModes, {
    description: '0 ticks elapsed · 1 percent of the target · 2 ticks remaining.',
  }),
  start: ConditionGroups,
  pause: ConditionGroups,
  resume: ConditionGroups,
  stop: ConditionGroups,
  reset: ConditionGroups,
  cancel: ConditionGroups,
  startFrom: Text(200, { description: 'From when on time counts: `event`, `created`, or `field:` and a path.' }),
  order: Integer(),
  active: Type.Boolean({ default: true }),
  parallel: Type.Boolean(),
  effectiveFrom: Instant,
}

/** A clock as it is read; `holidayFeedState` is derived, and missing in a clock that was just written. */
export type Clock = Stored<typeof clockShape> & { holidayFeedState?: FeedState }
export type ClockValues = Values<typeof clockShape>
export type TargetValues = ReturnType<typeof targetsOf>[number]

export interface FeedState {
  fetchedAt: string | null
  lastError: string
  days: number
  ignored: number
}

/** The conditions of a clock. */
export const conditionNames = ['start', 'pause', 'resume', 'stop', 'reset', 'cancel'] as const

/** The targets of a clock, with all their properties. */
export function targetsOf({ targets }: Pick<ClockValues, 'targets'>) {
  return complete(targetShape, targets)
}
