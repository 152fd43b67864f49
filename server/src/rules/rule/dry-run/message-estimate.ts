import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { estimateSchema, type MessageCounts } from '../../../notify/noise/noise.ts'
import type { Rule } from '../rule-shape.ts'

// A rule that is tried has an id of its own, and performs its actions in a transaction that is rolled back. What its messages
// have counted until then (see notify/noise) is therefore what it would send, to those who may see the item and want it.

/** The messages that the rule has sent in the transaction of the context. */
export async function messagesOf(ctx: Context, { id }: Pick<Rule, 'id'>): Promise<MessageCounts> {
  const rows = await ctx.sql<{
    userId: Id
    count: number
  }>`select user_id as "userId", sum(count)::int as count from message_count
    where tenant_id = ${ctx.caller.tenantId} and source_kind = 'rule' and source_id = ${id} group by user_id`
  return Object.fromEntries(rows.map(({ userId, count }) => [userId, count]))
}

export const ruleEstimateSchema = estimateSchema(
  'The messages that the rule itself would send to users: by notices, mails and requests for approvals, without what the saved rules do in turn and what watchers are told of its changes.',
  'Null if one item was tried.',
)
