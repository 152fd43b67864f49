import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'

/** Refuses a deleted container for an item, and keeps the container from being deleted before the commit. */
export async function holdContainer(ctx: Context, containerId: Id): Promise<void> {
  const rows = await ctx.sql`select 1 from container
    where tenant_id = ${ctx.caller.tenantId} and id = ${containerId} and not deleted for key share`
  if (rows.length === 0)
    throw new RuleBroken('container-deleted', 'the container of the item is deleted; restore the container')
}
