import type { Context } from '../../kernel/context.ts'
import type { ItemChange } from '../validation/item-change.ts'

/** Makes recurrences due that repeat an item after it is closed. */
export async function closingIsDue(ctx: Context, accepted: readonly ItemChange[]): Promise<void> {
  const closed = accepted
    .filter(({ before, after }) => !before?.closedAt && after.closedAt)
    .map(({ after }) => after.id)
  if (closed.length === 0) return
  await ctx.sql`update item_recurrence set next_at = ${ctx.now}
    where tenant_id = ${ctx.caller.tenantId} and item_id = any(${closed}::uuid[]) and mode <> 0`
}
