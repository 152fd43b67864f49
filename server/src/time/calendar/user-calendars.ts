import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { raw } from '../../kernel/sql.ts'
import { type TimeCalendar, timeCalendars } from './calendar.ts'

/** All calendars of the tenant, those that come first in front. */
export async function allCalendars(ctx: Context): Promise<readonly TimeCalendar[]> {
  const c = raw('c')
  const load = async () => {
    const rows = await ctx.sql<{ json: string }>`select ${timeCalendars.json(c)} as json from time_calendar c
      where c.tenant_id = ${ctx.caller.tenantId} and not c.deleted order by c."order", c.created, c.id`
    return rows.map((row): TimeCalendar => JSON.parse(row.json))
  }
  return (await remembered(ctx, 'time calendars', load)) ?? []
}

/** Returns the calendar of each user: the first one that names a group of the user, or a group above it. */
export async function calendarsOf(ctx: Context, userIds: readonly Id[]): Promise<Map<Id, TimeCalendar>> {
  const calendars = await allCalendars(ctx)
  if (calendars.length === 0 || userIds.length === 0) return new Map()
  const rows = await ctx.sql<{ userId: Id; groups: Id[] }>`
    with recursive held as (
      select m.user_id, m.group_id from user_group_member m join user_group g on g.tenant_id = ${ctx.caller.tenantId} and g.id = m.group_id
      where m.tenant_id = ${ctx.caller.tenantId} and m.user_id = any(${userIds}::uuid[]) and not g.deleted
      union
      select h.user_id, g.parent_id from held h join user_group g on g.tenant_id = ${ctx.caller.tenantId} and g.id = h.group_id
      where g.parent_id is not null and not g.deleted)
    select user_id as "userId", array_agg(group_id) as groups from held group by user_id`
  const found = new Map<Id, TimeCalendar>()
  for (const { userId, groups } of rows) {
    const first = calendars.find(each => each.userGroups.some(id => groups.includes(id)))
    if (first) found.set(userId, first)
  }
  return found
}
