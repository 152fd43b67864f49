import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'

/** Refuses changes of a merged item and names the item into which it was finally merged. */
export async function refuseMerged(ctx: Context, mergedInto: Id | null | ''): Promise<void> {
  if (!mergedInto) return
  throw new RuleBroken('item-merged', 'the item was merged into another item', [], {
    mergedInto: await finalTarget(ctx, mergedInto),
  })
}

/** The last item in a chain of merges. */
export async function finalTarget(ctx: Context, id: Id): Promise<Id> {
  const [row] = await ctx.sql<{ id: Id }>`with recursive way as (
      select i.id, i.merged_into from item i where i.tenant_id = ${ctx.caller.tenantId} and i.id = ${id}
      union
      select i.id, i.merged_into from item i join way w on i.id = w.merged_into where i.tenant_id = ${ctx.caller.tenantId})
    select id from way where merged_into is null`
  return row?.id ?? id
}
