import { userGroups } from '../../admin/user-group/user-group.ts'
import { changeItem } from '../../items/change/change.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { pointsAtNothing } from '../../kernel/references.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { nothing, type Sql, sql } from '../../kernel/sql.ts'
import { holdTicket } from './read-ticket.ts'
import { changeFacet } from './ticket.ts'

/** How a group deals its work out; whatever else its policy says, the turn goes round. */
export const policy = { leastOpen: 2, leastRemaining: 3 } as const

/** Gives a ticket to the next of a group: by turns, or to who has least to do, as the group wants it. */
export async function assignNext(ctx: Context, id: Id, groupId: Id | undefined): Promise<Id> {
  const ticket = await holdTicket(ctx, id)
  const wanted = (groupId || ticket.queueGroupId).toLowerCase()
  if (wanted === '')
    throw new RuleBroken('no-queue', 'the ticket waits in no queue', [
      fault(['groupId'], 'required', 'is required: the ticket waits in no queue'),
    ])
  const { groupId: dealt, next } = await deal(ctx, wanted)
  await changeFacet(ctx, ticket.id, { queueGroupId: dealt })
  await changeItem(ctx, ticket.id, { patch: { assignees: [next] }, warnings: [] })
  return next
}

/** Whose turn it is in a group: from then on it was. `how` is a policy, if it is not to be the group's own. */
export async function deal(ctx: Context, groupId: Id, how?: number): Promise<{ groupId: Id; next: Id }> {
  const group = await userGroups.find(ctx, groupId)
  if (!group) throw pointsAtNothing([{ entity: 'UserGroup', id: groupId, path: ['groupId'] }])
  // One after another: two who deal at the same moment would deal to the same person.
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`deal ${ctx.caller.tenantId} ${group.id}`}, 0))`
  const next = await nextOf(ctx, group.id, how ?? group.assignPolicy)
  if (!next)
    throw new RuleBroken('nobody-there', 'nobody in the group can take it', [
      fault(['groupId'], 'nobody-there', 'has nobody who is there'),
    ])
  await ctx.sql`insert into group_turn (tenant_id, group_id, user_id, turn)
    select ${ctx.caller.tenantId}::uuid, ${group.id}::uuid, ${next}::uuid, coalesce(max(turn), 0) + 1 from group_turn where tenant_id = ${ctx.caller.tenantId} and group_id = ${group.id}
    on conflict (tenant_id, group_id, user_id) do update set turn = excluded.turn`
  return { groupId: group.id, next }
}

/** Among those who are there: who has least of what counts, and of several whose turn was longest ago. */
async function nextOf(ctx: Context, groupId: Id, assignPolicy: number): Promise<Id | undefined> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ id: Id }>`
    with recursive inside as (
      select g.id, g.members from user_group g where g.tenant_id = ${tenantId} and g.id = ${groupId} and not g.deleted
      union
      select g.id, g.members from user_group g join inside on g.parent_id = inside.id where g.tenant_id = ${tenantId} and not g.deleted
    ), waiting as (
      select i.assignees, i.remaining_minutes from ticket f join item i on i.tenant_id = f.tenant_id and i.id = f.id
      where f.tenant_id = ${tenantId} and f.queue_group_id = ${groupId} and i.closed_at is null and not i.deleted
    )
    select u.id from (select distinct unnest(members) as id from inside) m join "user" u on u.tenant_id = ${tenantId} and u.id = m.id
    left join group_turn t on t.tenant_id = ${tenantId} and t.group_id = ${groupId} and t.user_id = u.id
    where u.active and not u.deleted and (u.locked is null or u.locked <= ${ctx.now}) and u.kind not in (1, 3)
    order by ${load(assignPolicy)} coalesce(t.turn, 0), u.id limit 1`
  return row?.id
}

function load(assignPolicy: number): Sql {
  if (assignPolicy === policy.leastOpen) return sql`(select count(*) from waiting w where u.id = any(w.assignees)),`
  if (assignPolicy === policy.leastRemaining)
    return sql`(select coalesce(sum(w.remaining_minutes), 0) from waiting w where u.id = any(w.assignees)),`
  return nothing
}
