import { userGroups } from '../../admin/user-group/user-group.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { candidatesOf } from './candidates.ts'
import { type AssignTerms, chooseMember, type JudgedCandidate, reasonOf } from './choose-member.ts'

export { type AssignTarget, policyCalled, policyIn, readAssignTarget } from './assign-target.ts'

/** The chosen member of a group, and why. */
export interface Assignment {
  groupId: Id
  userId: Id
  /** The code of `assignPolicy` that decided. */
  policy: number
  reason: string
  candidates: JudgedCandidate[]
}

/** Chooses the next member of a group for an item and records the turn. `terms` override the policy of the group. */
export async function nextAssignee(
  ctx: Context,
  itemId: Id,
  groupId: Id,
  terms: AssignTerms = {},
): Promise<Assignment> {
  const group = await userGroups.find(ctx, groupId)
  if (!group) throw unknownReferences([{ entity: 'UserGroup', id: groupId, path: ['groupId'] }])
  const { tenantId } = ctx.caller
  // One at a time: two concurrent assignments would choose the same member.
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`deal ${tenantId} ${group.id}`}, 0))`
  const candidates = await candidatesOf(ctx, group.id, itemId)
  const choice = chooseMember(candidates, { ...terms, policy: terms.policy ?? group.assignPolicy })
  const { userId, policy } = choice
  const reason = reasonOf(choice)
  if (!userId)
    throw new RuleBroken('nobody-there', `the item is not assigned: ${reason}`, [
      fault(['groupId'], 'nobody-there', 'has no available member'),
    ])
  await ctx.sql`insert into group_turn (tenant_id, group_id, user_id, turn)
    select ${tenantId}::uuid, ${group.id}::uuid, ${userId}::uuid, coalesce(max(turn), 0) + 1 from group_turn where tenant_id = ${tenantId} and group_id = ${group.id}
    on conflict (tenant_id, group_id, user_id) do update set turn = excluded.turn returning 1`
  return { groupId: group.id, userId, policy, reason, candidates: choice.candidates }
}
