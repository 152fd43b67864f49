import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/id.ts'
import { type Sql, sql } from '../../kernel/sql.ts'

/** The owner of a cycle: a container or a group. */
export interface CycleOwner {
  containerId: string
  userGroupId: string
}

/** Serialises planning, starting and finishing of the cycles of one owner. */
export async function lockOwner(ctx: Context, { containerId, userGroupId }: CycleOwner): Promise<void> {
  const key = `cycles ${ctx.caller.tenantId} ${(containerId || userGroupId).toLowerCase()}`
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`
}

/** The cycles `c` of the same owner. */
export function sameOwner(ctx: Context, { containerId, userGroupId }: CycleOwner): Sql {
  return sql`c.tenant_id = ${ctx.caller.tenantId} and ${containerId ? sql`c.container_id = ${containerId}` : sql`c.user_group_id = ${userGroupId}`}`
}

/** The next number of an owner's cycles. Deleted cycles count, so that no number is used twice. */
export async function nextNumber(ctx: Context, owner: CycleOwner): Promise<number> {
  if (!isId(owner.containerId || owner.userGroupId)) return 0 // an invalid id is refused later, with the other references
  await lockOwner(ctx, owner)
  const [row] = await ctx.sql<{
    next: number
  }>`select coalesce(max(c.number), 0) + 1 as next from cycle c where ${sameOwner(ctx, owner)}`
  return row?.next ?? 1
}
