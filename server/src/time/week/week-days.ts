import { Temporal } from 'temporal-polyfill'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { weekday } from '../../kernel/schema/formats.ts'
import { raw } from '../../kernel/sql.ts'
import { periodKind } from '../calendar/period.ts'
import { closedIn, type KnownPeriods } from '../closed/closed.ts'
import { type Timesheet, timesheets } from '../sheet/sheet.ts'

/** The seven days of the week of a day. */
export function weekOf(date: string, weekStart: number): string[] {
  const day = Temporal.PlainDate.from(date)
  const first = day.subtract({ days: (day.dayOfWeek - weekStart + 7) % 7 })
  return Array.from({ length: 7 }, (_, i) => first.add({ days: i }).toString())
}

/** What the week of a user depends on. */
interface UserWeek {
  /** Whether there is such a user. */
  known: boolean
  timezone: string
  /** 1 is Monday. The first calendar of a group of the user, or of a group above it, comes before the tenant. */
  weekStart: number
}

export async function userWeekOf(ctx: Context, userId: Id): Promise<UserWeek> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ known: boolean; timezone: string; calendar: number | null; tenant: string }>`
    with recursive held as (
      select m.group_id from user_group_member m join user_group g on g.tenant_id = ${tenantId} and g.id = m.group_id
      where m.tenant_id = ${tenantId} and m.user_id = ${userId} and not g.deleted
      union select g.parent_id from held h join user_group g on g.tenant_id = ${tenantId} and g.id = h.group_id
      where g.parent_id is not null and not g.deleted)
    select u.id is not null as known, coalesce(nullif(u.timezone, ''), nullif(t.timezone, ''), 'UTC') as timezone, t.week_start as tenant, (select case when c.kind = ${periodKind.week} then c.week_start end from time_calendar c
        where c.tenant_id = ${tenantId} and not c.deleted and c.user_groups && array(select group_id from held)
        order by c."order", c.created, c.id limit 1) as calendar
    from tenant t left join "user" u on u.tenant_id = ${tenantId} and u.id = ${userId} and not u.deleted where t.tenant_id = ${tenantId}`
  const { known = false, timezone = 'UTC', calendar = null, tenant = '' } = row ?? {}
  return { known, timezone, weekStart: calendar ?? weekday(tenant) ?? 1 }
}

/** Whether the caller cannot change the time of the user on a day, on a container or (empty) by person. */
export async function closedDays(
  ctx: Context,
  periods: KnownPeriods,
  userId: Id,
  dates: readonly string[],
  containerIds: readonly (Id | '')[],
): Promise<(date: string, containerId: Id | '') => boolean> {
  const containers = new Set(['', ...containerIds])
  const places = dates.flatMap(date => [...containers].map(containerId => ({ userId, date, containerId })))
  const closed = new Set((await closedIn(ctx, periods, places)).map(each => `${each.date} ${each.containerId}`))
  return (date, containerId) => closed.has(`${date} ${containerId}`)
}

/** The sheet of a day, if it was made and the caller sees it. */
export async function sheetOn(ctx: Context, userId: Id, date: string): Promise<Timesheet | null> {
  const s = raw('s')
  const [row] = await ctx.sql<{ json: string }>`select ${timesheets.json(s)} as json from timesheet s
    where s.tenant_id = ${ctx.caller.tenantId} and s.user_id = ${userId} and ${date}::date between s."from" and s."to" and ${kind('Timesheet').visible(ctx.caller, s)}`
  return row ? JSON.parse(row.json) : null
}
