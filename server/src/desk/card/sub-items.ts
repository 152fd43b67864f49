import { items } from '../../items/item/item.ts'
import { closedCategories } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { raw } from '../../kernel/sql.ts'

/** How many items one consists of, and how many of them are closed. */
interface SubItems {
  all: number
  done: number
}

/**
 * Counts the sub-items that the caller sees, for a page of items by one statement. The index of parents finds them, so that the cost is that of
 * the sub-items of the page. Undefined if the caller may not know parents or states.
 */
export async function countSubItems(ctx: Context, itemIds: readonly Id[]): Promise<Map<Id, SubItems> | undefined> {
  const { caller, services } = ctx
  const needed = ['parentId', 'status', 'statusCategory']
  if (needed.some(property => services.redaction.hidesSomewhere(caller, items.entity, property))) return undefined
  const rows = await ctx.sql<SubItems & { id: Id }>`
    select t.parent_id as id, count(*)::int as all, count(*) filter (where t.status_category in ${closedCategories})::int as done from item t
    where t.tenant_id = ${caller.tenantId} and t.parent_id = any(${itemIds}::uuid[]) and not t.deleted and not t.archived
      and ${items.visible(caller, raw('t'))}
    group by t.parent_id`
  return new Map(rows.map(({ id, all, done }) => [id, { all, done }]))
}
