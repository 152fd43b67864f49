import { Temporal } from 'temporal-polyfill'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { weekday } from '../../kernel/schema/formats.ts'
import { raw } from '../../kernel/sql.ts'
import { periodKind } from '../calendar/period.ts'
import { closedNow } from '../closed/closed.ts'
import { type Timesheet, timesheets } from '../sheet/sheet.ts'

/** The seven days of the week of a day, by the first day that the calendar of the user or the tenant says. */
export async function weekOf(ctx: Context, userId: Id, date: string): Promise<string[]> {
  const day = Temporal.PlainDate.from(date)
  const first = day.subtract({ days: (day.dayOfWeek - (await weekStartOf(ctx, userId)) + 7) % 7 })
  return Array.from({ length: 7 }, (_, i) => first.add({ days: i }).toString())
}

/** 1 is Monday. The first calendar of a group of the user, or of a group above it, comes before the tenant. */
async function weekStartOf(ctx: Context, userId: Id): Promise<number> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ calendar: number | null; tenant: string }>`
    with recursive held as (
      select m.group_id from user_group_member m join user_group g on g.tenant_id = ${tenantId} and g.id = m.group_id
      where m.tenant_id = ${tenantId} and m.user_id = ${userId} and not g.deleted
      union select g.parent_id from held h join user_group g on g.tenant_id = ${tenantId} and g.id = h.group_id
      where g.parent_id is not null and not g.deleted)
    select t.week_start as tenant, (select case when c.kind = ${periodKind.week} then c.week_start end from time_calendar c
        where c.tenant_id = ${tenantId} and not c.deleted and c.user_groups && array(select group_id from held)
        order by c."order", c.created, c.id limit 1) as calendar
    from tenant t where t.tenant_id = ${tenantId}`
  return row?.calendar ?? weekday(row?.tenant ?? '') ?? 1
}

/** Whether the caller cannot change the time of the user on a day, on a container or (empty) by person. */
export async function closedDays(
  ctx: Context,
  userId: Id,
  dates: readonly string[],
  containerIds: readonly (Id | '')[],
): Promise<(date: string, containerId: Id | '') => boolean> {
  const containers = new Set(['', ...containerIds])
  const places = dates.flatMap(date => [...containers].map(containerId => ({ userId, date, containerId })))
  const closed = new Set((await closedNow(ctx, places)).map(each => `${each.date} ${each.containerId}`))
  return (date, containerId) => closed.has(`${date} ${containerId}`)
}

/** The sheet of a day, if it was made and the caller sees it. */
export async function sheetOn(ctx: Context, userId: Id, date: string): Promise<Timesheet | null> {
  const s = raw('s')
  const [row] = await ctx.sql<{ json: string }>`select ${timesheets.json(s)} as json from timesheet s
    where s.tenant_id = ${ctx.caller.tenantId} and s.user_id = ${userId} and ${date}::date between s."from" and s."to" and ${kind('Timesheet').visible(ctx.caller, s)}`
  return row ? JSON.parse(row.json) : null
}
