import { items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { raw } from '../../kernel/sql.ts'

/** The refusal of items that wait for each other; items that the caller does not see are `restricted`. */
export async function refuseScheduleCycle(ctx: Context, circle: readonly Id[]): Promise<RuleBroken> {
  const t = raw('t')
  const rows = await ctx.sql<{ id: Id; key: string }>`select t.id, t.key from item t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${[...new Set(circle)]}::uuid[]) and ${items.visible(ctx.caller, t)}`
  const keys = new Map(rows.map(row => [row.id, row.key]))
  const path = circle.map(id => keys.get(id) ?? 'restricted')
  return new RuleBroken('schedule-cycle', `the items wait for each other: ${path.join(' → ')}`, [], { path })
}
