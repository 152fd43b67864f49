import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { visibleInContainers } from '../../identity/visibility.ts'
import type { Context } from '../../kernel/context.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { ownTenant, sql } from '../../kernel/sql.ts'
import { withConditionIds } from '../../language/conditions/condition-ids.ts'
import { complete, duplicateIds, withIds } from '../../records/input/entries.ts'
import { calendarProperties, everOpens, openingHorizonDays } from '../calendar/calendar.ts'
import { refuseNestedRegions, regionFaults } from '../region/region-checks.ts'
import { calendarFaults, feedFaults, refuseUnorderedThresholds, startFaults } from './clock-faults.ts'
import { clockFindings } from './clock-findings.ts'
import {
  type Clock,
  type ClockValues,
  clockShape,
  conditionNames,
  type FeedState,
  targetShape,
  targetsOf,
} from './clock-shape.ts'

export type { Clock, ClockValues, TargetValues } from './clock-shape.ts'
export { maxMinutes, targetsOf } from './clock-shape.ts'

const feedState: Schema = {
  type: 'object',
  description: 'The last fetch of `holidayFeed`: when it succeeded, what failed, and how many days it contained.',
  properties: {
    fetchedAt: { type: ['string', 'null'], format: 'date-time' },
    lastError: { type: 'string' },
    days: { type: 'integer' },
    ignored: { type: 'integer', description: 'Events with a time of day; they are not holidays.' },
  },
  required: ['fetchedAt', 'lastError', 'days', 'ignored'],
}

/** A business clock: which minutes count when service levels are measured. */
export const clocks = resource('Clock', {
  about:
    'A business clock: which minutes count when service levels are measured, what the targets are, and when a cycle starts, pauses and ends. A shift that ends at or before its start ends on the next day; days off are `2026-12-25`, every year’s `--12-25`, or `2026-12-24/2026-12-31`. `schedule` gives weekdays their own hours, `exceptions` single dates. `holidays` is filled from `holidayCountry` and `holidayFeed`, from last year to five years ahead. A clock with `regions` follows the sun: instead of its own hours it counts each minute in which the clock of at least one region is open, and of the open regions the first in the list is responsible.',
  shape: clockShape,
  serverSet: ['holidays'],
  derived: {
    holidayFeedState: {
      schema: Type.Unsafe<FeedState>(feedState),
      value:
        k => sql`coalesce((select json_build_object('fetchedAt', ${instantText(sql`f.fetched_at`)}, 'lastError', f.last_error, 'days', f.days, 'ignored', f.timed)
        from clock_feed f where f.tenant_id = ${ownTenant} and f.clock_id = ${k}.id), '{"fetchedAt": null, "lastError": "", "days": 0, "ignored": 0}'::json)`,
    },
  },
  visible: (caller, k) => visibleInContainers(caller, sql`${k}.container`),
  check: checkClock,
  findings: clockFindings,
  remembered: true,
})

/** The values as they are stored: every target has an id, because cycles refer to it, and every condition one for traces. */
export function normalized(values: Partial<ClockValues>, before: Pick<ClockValues, 'targets'> = { targets: [] }) {
  const kept: Partial<ClockValues> = { ...values }
  for (const each of conditionNames) {
    const groups = values[each]
    if (groups) kept[each] = withConditionIds(groups)
  }
  // Regions are found by their ids as text, which can be written in both cases.
  if (values.regions)
    kept.regions = values.regions.map(({ clockId = '', groupId = '', ...region }) => ({
      ...region,
      clockId: clockId.toLowerCase(),
      groupId: groupId.toLowerCase(),
    }))
  if (values.targets)
    kept.targets = withIds(
      complete(targetShape, values.targets).map(each => ({
        ...each,
        conditionGroup: withConditionIds(each.conditionGroup),
      })),
      targetsOf(before),
      ({ kind, minutes }) => `${kind} ${minutes}`,
    )
  return kept
}

/** Refuses invalid hours and thresholds. */
export async function checkClock(ctx: Context, clock: ClockValues, before: Clock | undefined): Promise<void> {
  const faults = [
    ...calendarFaults(clock),
    ...regionFaults(clock.regions),
    ...duplicateIds(targetsOf(clock), 'targets'),
    ...startFaults(clock.startFrom),
    ...feedFaults(ctx, clock.holidayFeed, before?.holidayFeed),
  ]
  if (faults.length > 0) throw new Invalid(faults)
  refuseUnorderedThresholds(clock)
  // An unchanged calendar was checked when it was saved; it is not refused later because its dates have passed.
  const changed = !before || calendarProperties.some(each => !isDeepStrictEqual(clock[each], before[each]))
  if (changed) await refuseNestedRegions(ctx, clock.regions, before?.id)
  // Each region was checked when its clock was saved.
  if (changed && clock.regions.length === 0 && !everOpens(clock, ctx.now)) {
    throw new RuleBroken('clock-never-open', `the clock has no working minute in ${openingHorizonDays} days`)
  }
}
