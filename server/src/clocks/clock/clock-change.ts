import { isDeepStrictEqual } from 'node:util'
import { enqueue } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Input } from '../../kernel/operation.ts'
import type { Expect } from '../../kernel/record.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/shape.ts'
import { calendarOf, calendarProperties } from '../calendar/calendar.ts'
import { holidaysOf } from '../holiday/holiday.ts'
import { forgetFeed, planHolidays } from '../holiday/refresh-schedule.ts'
import { type Clock, type ClockValues, clocks, tidied } from './clock.ts'
import { affected, recalculation } from './recalculation.ts'

/** What of the work that goes on is counted anew when a clock changes. */
const modes = { keep: 0, open: 1, all: 2 } as const

export const recalculateQuery: Record<string, Schema> = {
  recalculate: {
    type: 'string',
    enum: Object.keys(modes),
    description:
      '`keep`, as if it were not said: what is counted stays, what is left goes by the new hours. `open`: cycles that are not finished are counted anew. `all`: the finished ones, too.',
  },
}

export function modeAsked({ query }: Pick<Input, 'query'>): number {
  const asked = query.recalculate ?? 'keep'
  const mode = Object.entries(modes).find(([name]) => name === asked)?.[1]
  if (mode === undefined)
    throw new Invalid([fault(['recalculate'], 'enum', `must be one of ${Object.keys(modes).join(', ')}`, asked)])
  return mode
}

export async function createClock(ctx: Context, values: Partial<ClockValues>, input: Input<unknown>): Promise<Clock> {
  const mode = modeAsked(input)
  const clock = await clocks.create(ctx, await furnished(ctx, tidied(values)))
  await keepVersion(ctx, clock, clock.effectiveFrom, mode)
  if (mode > modes.keep) await recalculate(ctx, clock, mode)
  await planHolidays(ctx, clock)
  return clock
}

/** With the holidays that come by themselves. A feed is read afterwards; until then what came from it before stays. */
export async function furnished(
  ctx: Context,
  values: Partial<ClockValues>,
  before: Pick<Clock, 'holidayCountry' | 'holidayFeed' | 'holidays'> = noHolidays,
): Promise<Partial<ClockValues>> {
  const { holidayCountry = before.holidayCountry, holidayFeed = before.holidayFeed } = values
  const wish = { holidayCountry: holidayCountry ?? '', holidayFeed: holidayFeed ?? '' }
  const same = wish.holidayCountry === before.holidayCountry
  const known = before.holidays.filter(each => same || each.source !== 'country')
  return { ...values, holidays: await holidaysOf(wish, known, ctx.now) }
}

const noHolidays = { holidayCountry: '', holidayFeed: '', holidays: [] }

/** A change of hours is a version of its own; whatever else changes counts for all that is not finished. */
export async function changeClock(
  ctx: Context,
  id: Id,
  values: Partial<ClockValues>,
  more: { expect?: Expect },
  input: Input<unknown>,
): Promise<Clock> {
  const mode = modeAsked(input)
  const before = await clocks.get(ctx, id, { lock: true })
  const { holidayFeed = before.holidayFeed } = values
  const otherFeed = (holidayFeed ?? '') !== before.holidayFeed
  if (otherFeed) await forgetFeed(ctx, before.id)
  const clock = await clocks.update(ctx, id, await furnished(ctx, tidied(values, before), before), more)
  if (otherFeed || clock.holidayCountry !== before.holidayCountry) await planHolidays(ctx, clock)
  const hours = calendarProperties.some(each => !isDeepStrictEqual(clock[each], before[each]))
  if (clock.version === before.version && mode === modes.keep) return clock
  const since = clock.effectiveFrom === before.effectiveFrom ? null : clock.effectiveFrom
  if (hours || since || mode > modes.keep) await keepVersion(ctx, clock, since, mode)
  await recalculate(ctx, clock, mode)
  return clock
}

export async function removeClock(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Clock> {
  const clock = await clocks.remove(ctx, id, more)
  await recalculate(ctx, clock, modes.keep)
  await planHolidays(ctx, clock)
  return clock
}

export async function restoreClock(ctx: Context, id: Id): Promise<Clock> {
  const clock = await clocks.restore(ctx, id)
  await planHolidays(ctx, clock)
  return clock
}

/** Puts other holidays in the place of those that came before: a change of hours like any other, from now on. */
export async function replaceHolidays(ctx: Context, before: Clock, holidays: Clock['holidays']): Promise<void> {
  const clock = await clocks.update(ctx, before.id, { holidays })
  if (clock.version === before.version) return
  await keepVersion(ctx, clock, null, modes.keep)
  await recalculate(ctx, clock, modes.keep)
}

async function keepVersion(ctx: Context, clock: Clock, since: string | null, mode: number): Promise<void> {
  await ctx.sql`insert into clock_version (tenant_id, clock_id, version, made, effective_from, recalculate, calendar)
    values (${ctx.caller.tenantId}, ${clock.id}, ${clock.version}, ${ctx.now}, ${since ?? ctx.now}, ${mode}, ${JSON.stringify(calendarOf(clock))}::jsonb)
    on conflict (tenant_id, clock_id, version) do update set made = excluded.made, recalculate = excluded.recalculate`
}

/** Has its items looked at again, in the background; nothing is done where there are none. */
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
