import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { raw } from '../../kernel/sql.ts'
import { calendarOf, type HoursPart } from '../calendar/calendar.ts'
import { type Clock, clocks } from '../clock/clock.ts'
import { dutyAt } from './duty.ts'

export { workingTimeOf } from '../working-time/hours-periods.ts'

// A clock that follows the sun has regions: the hours of several clocks count together, each with a group that is
// responsible in them.

/** The group that is responsible on a clock now; empty if it is closed, or nobody is named. */
export async function groupOnDuty(ctx: Context, clock: Clock): Promise<Id | ''> {
  const [first] = dutyAt(await hoursPartsOf(ctx, clock), ctx.now.getTime()).onDuty
  return first?.region.groupId ?? ''
}

/** The calendars by which a clock counts now: those of its regions in their order, or its own. */
export async function hoursPartsOf(ctx: Context, clock: Clock): Promise<HoursPart[]> {
  return (await hoursPartsByClock(ctx, [clock])).get(clock.id) ?? []
}

/** The same for several clocks, by one statement. */
export async function hoursPartsByClock(ctx: Context, given: readonly Clock[]): Promise<Map<Id, HoursPart[]>> {
  const named = new Set(given.flatMap(({ regions }) => regions.map(each => each.clockId ?? '')))
  const known = new Map((await clocksNamed(ctx, [...named])).map(each => [each.id, each]))
  return new Map(
    given.map(clock => {
      if (clock.regions.length === 0) return [clock.id, [{ calendar: calendarOf(clock) }]]
      const parts = clock.regions.flatMap(region => {
        const own = known.get(region.clockId ?? '')
        return own ? [{ calendar: calendarOf(own), region }] : []
      })
      return [clock.id, parts]
    }),
  )
}

/** The clocks with these ids, without a check of the caller: users who see a clock also see its hours. */
async function clocksNamed(ctx: Context, ids: readonly string[]): Promise<Clock[]> {
  if (ids.length === 0) return []
  const rows = await ctx.sql<{ json: string }>`select ${clocks.json(raw('t'))} as json from clock t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids.filter(isId)}::uuid[]) and not t.deleted`
  return rows.map((row): Clock => JSON.parse(row.json))
}

/** The clocks of which a clock is a region. */
export async function clocksWithRegion(ctx: Context, id: Id): Promise<Clock[]> {
  const region = JSON.stringify([{ clockId: id }])
  const rows = await ctx.sql<{ json: string }>`select ${clocks.json(raw('t'))} as json from clock t
    where t.tenant_id = ${ctx.caller.tenantId} and t.regions @> ${region}::jsonb and not t.deleted order by t.id`
  return rows.map((row): Clock => JSON.parse(row.json))
}
