import type { Context } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'

/** The setting that says for what people watch without asking for it: for the tenant, or for a user. */
export const preferenceKey = 'watch.auto'

/** What the setting calls the reasons, by their codes. */
const names: Readonly<Record<number, string>> = { 1: 'author', 2: 'assignee', 3: 'mentioned', 4: 'commented' }

/** `true`, and nothing at all, is for every reason; `false` for none; a list for those it names. */
export function wants(value: unknown, reason: number): boolean {
  const name = names[reason]
  if (name === undefined) return true
  if (Array.isArray(value)) return value.includes(name)
  return value !== false
}

/** For whom which reason makes a watch: the user's own word before the tenant's. */
export async function wanting(ctx: Context, userIds: readonly Id[]): Promise<(userId: Id, reason: number) => boolean> {
  const rows = await ctx.sql<{ scope: number; ownerId: string; value: unknown }>`
    select scope, owner_id as "ownerId", value from app_setting where tenant_id = ${ctx.caller.tenantId} and key = ${preferenceKey} and not deleted
      and (scope = 0 or (scope = 2 and owner_id = any(${userIds}::text[])))`
  const common = rows.find(row => row.scope === 0)?.value
  const own = new Map(rows.filter(row => row.scope === 2).map(row => [row.ownerId, row.value]))
  return (userId, reason) => wants(own.has(userId) ? own.get(userId) : common, reason)
}
