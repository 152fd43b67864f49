import type { Context } from '../../kernel/context.ts'
import { raw } from '../../kernel/sql.ts'
import { type Approval, approvalState, approvals, votersOf } from '../../rules/approval/approval.ts'

/** So many approvals are looked at; a person with more of them has them counted as this many. */
const maxPending = 200

/** The pending approvals that wait for the vote of the caller, those that end first before the others. */
export async function myApprovals(ctx: Context): Promise<Approval[]> {
  const { tenantId, userId, authority } = ctx.caller
  const t = raw('t')
  const rows = await ctx.sql<{ json: string }>`select ${await approvals.jsonFor(ctx, t)} as json from approval t
    where t.tenant_id = ${tenantId} and t.group_id = any(${authority.groups}::uuid[]) and t.state = ${raw(String(approvalState.pending))} and not t.deleted
      and (t.until is null or t.until > ${ctx.now}) and not t.votes @> ${JSON.stringify([{ userId }])}::jsonb and ${approvals.visible(ctx.caller, t)}
    order by t.until nulls last, t.id limit ${maxPending}`
  const pending: Approval[] = rows.map(({ json }) => JSON.parse(json))
  const mine: Approval[] = []
  for (const each of pending)
    if (each.askedBy !== userId || (await votersOf(ctx, each)).includes(userId)) mine.push(each)
  return mine
}
