import { assignPolicy, userGroups } from '../../admin/user-group/user-group.ts'
import { changeItem } from '../../items/change/change.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { nothing, ownTenant, type Sql, sql } from '../../kernel/sql.ts'
import { lockTicket } from './read-ticket.ts'
import { changeFacet } from './ticket.ts'

/** Policies that look at the load; with any other the members of a group take turns. */
export { assignPolicy }

/** Assigns a ticket to the next member of a group: in turn, or to the one with the lowest load, as the group's policy says. */
export async function assignNext(ctx: Context, id: Id, groupId: Id | undefined): Promise<Id> {
  const ticket = await lockTicket(ctx, id)
  const wanted = (groupId || ticket.queueGroupId).toLowerCase()
  if (wanted === '')
    throw new RuleBroken('no-queue', 'the ticket is in no queue', [
      fault(['groupId'], 'required', 'is required because the ticket is in no queue'),
    ])
  const next = await nextAssignee(ctx, wanted)
  await changeFacet(ctx, ticket.id, { queueGroupId: next.groupId })
  await changeItem(ctx, ticket.id, { patch: { assignees: [next.userId] }, warnings: [] })
  return next.userId
}

/** Picks the next member of a group and records the turn. `policy` overrides the policy of the group. */
export async function nextAssignee(ctx: Context, groupId: Id, policy?: number): Promise<{ groupId: Id; userId: Id }> {
  const group = await userGroups.find(ctx, groupId)
  if (!group) throw unknownReferences([{ entity: 'UserGroup', id: groupId, path: ['groupId'] }])
  // One at a time: two concurrent assignments would pick the same member.
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`deal ${ctx.caller.tenantId} ${group.id}`}, 0))`
  const userId = await pickMember(ctx, group.id, policy ?? group.assignPolicy)
  if (!userId)
    throw new RuleBroken('nobody-there', 'no member of the group is available', [
      fault(['groupId'], 'nobody-there', 'has no available member'),
    ])
  await ctx.sql`insert into group_turn (tenant_id, group_id, user_id, turn)
    select ${ctx.caller.tenantId}::uuid, ${group.id}::uuid, ${userId}::uuid, coalesce(max(turn), 0) + 1 from group_turn where tenant_id = ${ctx.caller.tenantId} and group_id = ${group.id}
    on conflict (tenant_id, group_id, user_id) do update set turn = excluded.turn returning 1`
  return { groupId: group.id, userId }
}

/** Among the active members, the one with the lowest load; among equals, the one whose last turn is longest ago. */
async function pickMember(ctx: Context, groupId: Id, policy: number): Promise<Id | undefined> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ id: Id }>`
    with recursive inside as (
      select g.id, g.members from user_group g where g.tenant_id = ${tenantId} and g.id = ${groupId} and not g.deleted
      union
      select g.id, g.members from user_group g join inside on g.parent_id = inside.id where g.tenant_id = ${tenantId} and not g.deleted
    ), waiting as (
      select i.assignees, i.remaining_minutes from ticket f join item i on i.tenant_id = ${ownTenant} and i.id = f.id
      where f.tenant_id = ${tenantId} and f.queue_group_id = ${groupId} and i.closed_at is null and not i.deleted
    )
    select u.id from (select distinct unnest(members) as id from inside) m join "user" u on u.tenant_id = ${tenantId} and u.id = m.id
    left join group_turn t on t.tenant_id = ${tenantId} and t.group_id = ${groupId} and t.user_id = u.id
    where u.active and not u.deleted and (u.locked is null or u.locked <= ${ctx.now}) and u.kind not in (1, 3)
    order by ${loadOrder(policy)} coalesce(t.turn, 0), u.id limit 1`
  return row?.id
}

function loadOrder(policy: number): Sql {
  if (policy === assignPolicy.leastOpen) return sql`(select count(*) from waiting w where u.id = any(w.assignees)),`
  if (policy === assignPolicy.leastRemaining)
    return sql`(select coalesce(sum(w.remaining_minutes), 0) from waiting w where u.id = any(w.assignees)),`
  return nothing
}
