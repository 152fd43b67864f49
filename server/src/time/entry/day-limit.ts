import { Temporal } from 'temporal-polyfill'
import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { setting, settingOf } from '../../platform/setting.ts'
import { countsOnDay } from '../minutes-spent.ts'
import { lockTimeOfUsers, timezoneOfUser } from '../time-limits.ts'

const maxPerDay = setting('time.maxMinutesPerDay', {
  schema: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  default: 0,
  scopes: ['tenant'],
  description:
    'The minutes that a user can book on one day. 0: as many as the day has in the time zone of the user, which is not asked of the entries in the body of an item. A value up to 1440 lowers that, a higher one lifts it; both hold for every way of booking.',
})

/** Whether the tenant limits the minutes of a day itself, which then holds for imports, too. */
export async function limitsDays(ctx: Context): Promise<boolean> {
  return (await settingOf(ctx, maxPerDay)) > 0
}

/** The seconds that a day can hold: 23 hours of it, or 25, where clocks are changed. */
export function dayLimit(date: string, timezone: string, maxMinutes: number): number {
  const real = Temporal.PlainDate.from(date).toZonedDateTime(timezone).hoursInDay * 3600
  if (maxMinutes === 0) return real
  return maxMinutes > 1440 ? maxMinutes * 60 : Math.min(real, maxMinutes * 60)
}

/** A day on which a user has booked more than it can hold, and the examined entries with their items. */
interface FullDay {
  date: string
  seconds: number
  limit: number
  ids: Id[]
  itemIds: Id[]
}

/** The days of the stored entries (`a`) on which their users have booked too much. */
export async function fullDays(ctx: Context, which: Sql): Promise<FullDay[]> {
  const { tenantId } = ctx.caller
  const max = await settingOf(ctx, maxPerDay)
  await lockTimeOfUsers(ctx, which)
  const rows = await ctx.sql<Omit<FullDay, 'limit'> & { timezone: string }>`
    select d.date, d.ids, d.items as "itemIds", ${timezoneOfUser(raw('d.user_id'))} as timezone,
      (select coalesce(sum(b.seconds), 0)::float8 from time b where b.tenant_id = ${ownTenant} and b.user_id = d.user_id and b.date = d.date and ${countsOnDay(raw('b'))}) as seconds
    from (select a.user_id, a.date, array_agg(a.id order by a.id) as ids, array_remove(array_agg(distinct a.item_id), null) as items from time a
      where a.tenant_id = ${tenantId} and ${countsOnDay(raw('a'))} and ${which} group by a.user_id, a.date) d order by d.date`
  return rows
    .map(({ timezone, ...day }) => ({ ...day, limit: dayLimit(day.date, timezone, max) }))
    .filter(({ seconds, limit }) => seconds > limit)
}

/** Refuses entries that were just stored and made a day of their user too long. */
export async function refuseFullDays(ctx: Context, ids: readonly Id[]): Promise<void> {
  const full = await fullDays(ctx, sql`a.id = any(${ids}::uuid[])`)
  if (full.length > 0) throw dayFull(full, ['date'])
}

export function dayFull(full: readonly FullDay[], path: readonly string[]): RuleBroken {
  const faults = full.map(({ date, seconds, limit }) =>
    fault(path, 'day-full', `${date} holds ${limit} seconds, and these would be ${seconds}`, date),
  )
  return new RuleBroken('day-full', 'the user cannot book so much on one day', faults)
}
