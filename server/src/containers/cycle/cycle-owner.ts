import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/id.ts'
import { type Sql, sql } from '../../kernel/sql.ts'

/** Whose cycle it is: a container's or a group's. */
export interface CycleOwner {
  containerId: string
  userGroupId: string
}

/** Whoever plans, starts or finishes for an owner waits for whoever just did. */
export async function lockOwner(ctx: Context, { containerId, userGroupId }: CycleOwner): Promise<void> {
  const key = `cycles ${ctx.caller.tenantId} ${(containerId || userGroupId).toLowerCase()}`
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`
}

/** The cycles `c` of the same owner. */
export function sameOwner(ctx: Context, { containerId, userGroupId }: CycleOwner): Sql {
  return sql`c.tenant_id = ${ctx.caller.tenantId} and ${containerId ? sql`c.container_id = ${containerId}` : sql`c.user_group_id = ${userGroupId}`}`
}

/** Numbers follow each other, and none is given out twice: those of deleted cycles count. */
export async function nextNumber(ctx: Context, owner: CycleOwner): Promise<number> {
  if (!isId(owner.containerId || owner.userGroupId)) return 0 // about to be refused as a reference
  await lockOwner(ctx, owner)
  const [row] = await ctx.sql<{
    next: number
  }>`select coalesce(max(c.number), 0) + 1 as next from cycle c where ${sameOwner(ctx, owner)}`
  return row?.next ?? 1
}
