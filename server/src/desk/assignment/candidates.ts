import { absentDaysOf, isAwayAt, type LeaveSpan } from '../../admin/leave/leave.ts'
import { userKind } from '../../identity/user-kind.ts'
import { inWorkingTime } from '../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant, raw, sql } from '../../kernel/sql.ts'
import type { Candidate } from './choose-member.ts'
import { type Hours, localMoment } from './shift.ts'

/** The minutes that an open item without an estimate counts for. */
export const unestimatedMinutes = 60

interface Member extends Hours, Pick<Candidate, 'userId' | 'openItems' | 'openMinutes' | 'turn' | 'skills'> {
  absence: Partial<LeaveSpan>[]
}

/** The active members of a group and of those below it. `exceptItemId` is an item that does not count as their work. */
export async function candidatesOf(ctx: Context, groupId: Id, exceptItemId: Id): Promise<Candidate[]> {
  const members = (await membersOf(ctx, groupId, exceptItemId)).map(each => ({
    ...each,
    moment: localMoment(ctx.now, each),
  }))
  const isOpen = await openClocks(ctx, [...new Set(members.map(each => each.moment.clockId))].filter(Boolean))
  return members.map(({ userId, openItems, openMinutes, turn, skills, absence, moment }) => {
    const spans = absence.map(({ from = '', to = null, fromHalf = 0, toHalf = 0 }) => ({ from, to, fromHalf, toHalf }))
    const absent = isAwayAt(spans, moment.date, moment.isAfternoon)
    const offShift = isOpen.has(moment.clockId) ? !isOpen.get(moment.clockId) : moment.offShift
    return { userId, openItems, openMinutes, turn, skills, absent, offShift }
  })
}

async function membersOf(ctx: Context, groupId: Id, exceptItemId: Id): Promise<Member[]> {
  const { tenantId } = ctx.caller
  return await ctx.sql<Member>`
    with recursive inside as (
      select g.id, g.members from user_group g where g.tenant_id = ${tenantId} and g.id = ${groupId} and not g.deleted
      union
      select g.id, g.members from user_group g join inside on g.parent_id = inside.id where g.tenant_id = ${tenantId} and not g.deleted
    )
    select u.id as "userId", u.timezone, u.working_hours as "workingHours", u.capacity, u.skills, ${absentDaysOf(raw('u'))} as absence,
      coalesce(t.turn, 0)::int as turn, work.items as "openItems", work.minutes as "openMinutes"
    from (select distinct unnest(members) as id from inside) m join "user" u on u.tenant_id = ${tenantId} and u.id = m.id
    left join group_turn t on t.tenant_id = ${tenantId} and t.group_id = ${groupId} and t.user_id = u.id
    cross join lateral (
      select count(*)::int as items,
        coalesce(sum(coalesce(nullif(i.remaining_minutes, 0), nullif(i.estimate_minutes, 0), ${unestimatedMinutes}::int)), 0)::float8 as minutes
      from item_assignee a join item i on i.tenant_id = ${ownTenant} and i.id = a.item_id
      where a.tenant_id = ${tenantId} and a.user_id = u.id and a.open and not i.deleted and not i.archived and i.id <> ${exceptItemId}
    ) work
    where u.active and not u.deleted and (u.locked is null or u.locked <= ${ctx.now}) and u.kind not in (${userKind.requester}, ${userKind.placeholder})
    order by u.id`
}

/** Whether each of these clocks is in its working time; clocks that do not exist are left out. */
async function openClocks(ctx: Context, ids: readonly Id[]): Promise<Map<Id, boolean>> {
  if (ids.length === 0) return new Map()
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<{ id: Id; open: boolean }>`
    select c.id, ${inWorkingTime(tenantId, sql`${ctx.now}::timestamptz`, raw('c.id'))} as open from clock c
    where c.tenant_id = ${tenantId} and c.id = any(${ids}::uuid[]) and not c.deleted order by c.id`
  return new Map(rows.map(each => [each.id, each.open]))
}
