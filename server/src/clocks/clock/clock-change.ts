import { isDeepStrictEqual } from 'node:util'
import { enqueue } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Input } from '../../kernel/operation.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { calendarProperties, clockHoursOf } from '../calendar/calendar.ts'
import { holidaysOf } from '../holiday/holiday.ts'
import { forgetFeed, scheduleHolidays } from '../holiday/refresh-schedule.ts'
import { clocksWithRegion } from '../region/region.ts'
import { refuseNestedRegions, refuseUsedRegion, regionReferences } from '../region/region-checks.ts'
import { type Clock, type ClockValues, clocks, normalized } from './clock.ts'
import { recalculateMode } from './recalculate-mode.ts'
import { affected, recalculation } from './recalculation.ts'

export const recalculateQuery: Record<string, Schema> = {
  recalculate: {
    type: 'string',
    enum: Object.keys(recalculateMode),
    description:
      '`keep` (the default): time already counted stays, the rest is counted by the new hours. `open`: cycles that are not finished are counted again from their start. `all`: finished cycles, too.',
  },
}

export function recalculateModeOf({ query }: Pick<Input, 'query'>): number {
  const asked = query.recalculate ?? 'keep'
  const mode = Object.entries(recalculateMode).find(([name]) => name === asked)?.[1]
  if (mode === undefined)
    throw new Invalid([
      fault(['recalculate'], 'enum', `must be one of ${Object.keys(recalculateMode).join(', ')}`, asked),
    ])
  return mode
}

export async function createClock(ctx: Context, values: Partial<ClockValues>, input: Input<unknown>): Promise<Clock> {
  const mode = recalculateModeOf(input)
  const clock = await clocks.create(ctx, await withHolidays(ctx, normalized(values)))
  await storeVersion(ctx, clock, clock.effectiveFrom, mode)
  if (mode > recalculateMode.keep) await recalculate(ctx, clock, mode)
  await scheduleHolidays(ctx, clock)
  return clock
}

/** The values with the holidays of the country and the feed. A feed is fetched afterwards; until then its former holidays stay. */
export async function withHolidays(
  ctx: Context,
  values: Partial<ClockValues>,
  before: Pick<Clock, 'holidayCountry' | 'holidayFeed' | 'holidays'> = noHolidays,
): Promise<Partial<ClockValues>> {
  const { holidayCountry = before.holidayCountry, holidayFeed = before.holidayFeed } = values
  const sources = { holidayCountry: holidayCountry ?? '', holidayFeed: holidayFeed ?? '' }
  const same = sources.holidayCountry === before.holidayCountry
  const known = before.holidays.filter(each => same || each.source !== 'country')
  return { ...values, holidays: await holidaysOf(sources, known, ctx.now) }
}

const noHolidays = { holidayCountry: '', holidayFeed: '', holidays: [] }

/** Changes a clock. A change of hours is stored as a version; any other change applies to all cycles that are not finished. */
export async function changeClock(
  ctx: Context,
  id: Id,
  values: Partial<ClockValues>,
  more: { expect?: Expect },
  input: Input<unknown>,
): Promise<Clock> {
  const mode = recalculateModeOf(input)
  const before = await clocks.get(ctx, id, { lock: true })
  const { holidayFeed = before.holidayFeed } = values
  const otherFeed = (holidayFeed ?? '') !== before.holidayFeed
  if (otherFeed) await forgetFeed(ctx, before.id)
  const clock = await clocks.update(ctx, id, await withHolidays(ctx, normalized(values, before), before), more)
  if (otherFeed || clock.holidayCountry !== before.holidayCountry) await scheduleHolidays(ctx, clock)
  const hours = calendarProperties.some(each => !isDeepStrictEqual(clock[each], before[each]))
  if (clock.version === before.version && mode === recalculateMode.keep) return clock
  const since = clock.effectiveFrom === before.effectiveFrom ? null : clock.effectiveFrom
  if (hours || since || mode > recalculateMode.keep) await storeVersion(ctx, clock, since, mode)
  await recalculateWithUsers(ctx, clock, mode)
  return clock
}

export async function removeClock(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Clock> {
  const clock = await clocks.remove(ctx, id, more)
  await refuseUsedRegion(ctx, clock.id)
  await recalculate(ctx, clock, recalculateMode.keep)
  await scheduleHolidays(ctx, clock)
  return clock
}

export async function restoreClock(ctx: Context, id: Id): Promise<Clock> {
  const clock = await clocks.restore(ctx, id)
  await refuseUnknown(ctx, regionReferences(clock))
  await refuseNestedRegions(ctx, clock.regions, clock.id)
  await scheduleHolidays(ctx, clock)
  return clock
}

/** Brings what is stored beside a clock in line with the values that an undo has put back. */
export async function followUndo(ctx: Context, id: Id): Promise<void> {
  const clock = await clocks.get(ctx, id, { deleted: true })
  if (clock.deleted) await refuseUsedRegion(ctx, clock.id)
  else await storeVersion(ctx, clock, null, recalculateMode.keep)
  await recalculateWithUsers(ctx, clock, recalculateMode.keep)
  await scheduleHolidays(ctx, clock)
}

/** Replaces the holidays of a clock: a change of hours like any other, from now on. */
export async function replaceHolidays(ctx: Context, before: Clock, holidays: Clock['holidays']): Promise<void> {
  const clock = await clocks.update(ctx, before.id, { holidays })
  if (clock.version === before.version) return
  await storeVersion(ctx, clock, null, recalculateMode.keep)
  await recalculateWithUsers(ctx, clock, recalculateMode.keep)
}

async function storeVersion(ctx: Context, clock: Clock, since: string | null, mode: number): Promise<void> {
  await ctx.sql`insert into clock_version (tenant_id, clock_id, version, made, effective_from, recalculate, calendar)
    values (${ctx.caller.tenantId}, ${clock.id}, ${clock.version}, ${ctx.now}, ${since ?? ctx.now}, ${mode}, ${JSON.stringify(clockHoursOf(clock))}::jsonb)
    on conflict (tenant_id, clock_id, version) do update set made = excluded.made, recalculate = excluded.recalculate`
}

/** Recalculates the items of a clock and of the clocks that it is a region of. */
async function recalculateWithUsers(ctx: Context, clock: Clock, mode: number): Promise<void> {
  for (const each of [clock, ...(await clocksWithRegion(ctx, clock.id))]) await recalculate(ctx, each, mode)
}

/** Enqueues the recalculation of the items of a clock. */
async function recalculate(ctx: Context, clock: Clock, mode: number): Promise<void> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{
    total: number
  }>`select count(*)::int as total from (${affected(tenantId, clock, mode)}) i`
  await ctx.sql`insert into clock_recalculation (tenant_id, clock_id, version, mode, total, began)
    values (${tenantId}, ${clock.id}, ${clock.version}, ${mode}, ${row?.total ?? 0}, ${ctx.now})
    on conflict (tenant_id, clock_id) do update set version = excluded.version, mode = greatest(excluded.mode, case when clock_recalculation.ended is null then clock_recalculation.mode else 0 end),
      total = excluded.total, done = 0, changed = 0, last_item = null, began = excluded.began, ended = null`
  await enqueue(ctx, { task: recalculation.name, payload: { clockId: clock.id }, key: clock.id })
}
