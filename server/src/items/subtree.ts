import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { RuleBroken } from '../kernel/refusal.ts'
import { raw } from '../kernel/sql.ts'
import { items } from './item/item.ts'

const maxItems = 500

/** An item and its descendants that the caller sees; parents come before their children. */
export async function subtree(ctx: Context, id: Id): Promise<{ id: Id; parentId: Id | null }[]> {
  const t = raw('t')
  const rows = await ctx.sql<{ id: Id; parentId: Id | null }>`
    with recursive below as (
      select id, parent_id, 0 as depth from item where tenant_id = ${ctx.caller.tenantId} and id = ${id}
      union all
      select t.id, t.parent_id, b.depth + 1 from below b
        join item t on t.tenant_id = ${ctx.caller.tenantId} and t.parent_id = b.id and not t.deleted and ${items.visible(ctx.caller, t)}
      where b.depth < 50
    ) select id, parent_id as "parentId" from below order by depth, id limit ${maxItems + 1}`
  if (rows.length > maxItems)
    throw new RuleBroken('too-many-items', `the item has more than ${maxItems} descendants; process them in parts`)
  return rows
}
