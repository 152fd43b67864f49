import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { scopes, setting, settingOf } from '../../platform/setting.ts'

/** What the setting calls the reasons, by their codes. */
const reasonNames: Readonly<Record<number, string>> = { 1: 'author', 2: 'assignee', 3: 'mentioned', 4: 'commented' }

/** For what people watch without asking for it. */
export const autoWatchSetting = setting('watch.auto', {
  schema: Type.Unsafe<boolean | string[]>({
    type: ['boolean', 'array'],
    items: { type: 'string', enum: Object.values(reasonNames) },
  }),
  default: true,
  scopes: ['tenant', 'user'],
  description:
    'For what people watch items without asking for it: true for every reason, false for none, or a list of author, assignee, mentioned and commented.',
})

/** `true`, and nothing at all, is for every reason; `false` for none; a list for those it names. */
export function includesReason(value: unknown, reason: number): boolean {
  const name = reasonNames[reason]
  if (name === undefined) return true
  if (Array.isArray(value)) return value.includes(name)
  return value !== false
}

/** For whom which reason makes a watch: the user's own word before the tenant's. */
export async function autoWatchPreferences(
  ctx: Context,
  userIds: readonly Id[],
): Promise<(userId: Id, reason: number) => boolean> {
  const common = await settingOf(ctx, autoWatchSetting)
  // Of many people at once, so not asked for one by one.
  const rows = await ctx.sql<{ ownerId: string; value: unknown }>`
    select owner_id as "ownerId", value from app_setting where tenant_id = ${ctx.caller.tenantId} and key = ${autoWatchSetting.key} and not deleted
      and scope = ${scopes.user} and owner_id = any(${userIds}::text[]) and value <> 'null'`
  const own = new Map(rows.map(row => [row.ownerId, row.value]))
  return (userId, reason) => includesReason(own.has(userId) ? own.get(userId) : common, reason)
}
