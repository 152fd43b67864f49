import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { scopes, setting, settingOf } from '../../platform/setting.ts'
import { watchReason } from './watch-codes.ts'

/** The names of the reasons in the setting, by code. */
const reasonNames: Readonly<Record<number, string>> = {
  [watchReason.author]: 'author',
  [watchReason.assignee]: 'assignee',
  [watchReason.mentioned]: 'mentioned',
  [watchReason.commented]: 'commented',
}

/** The reasons for which users watch items automatically. */
export const autoWatchSetting = setting('watch.auto', {
  schema: Type.Unsafe<boolean | string[]>({
    type: ['boolean', 'array'],
    items: { type: 'string', enum: Object.values(reasonNames) },
  }),
  default: true,
  scopes: ['tenant', 'user'],
  description:
    'The reasons for which users watch items automatically: true for every reason, false for none, or a list of author, assignee, mentioned and commented.',
})

/** `true` or no value includes every reason, `false` none, a list those that it names. */
export function includesReason(value: unknown, reason: number): boolean {
  const name = reasonNames[reason]
  if (name === undefined) return true
  if (Array.isArray(value)) return value.includes(name)
  return value !== false
}

/** Tells for which users which reason creates a watch. A user’s own setting overrides the tenant’s. */
export async function autoWatchPreferences(
  ctx: Context,
  userIds: readonly Id[],
): Promise<(userId: Id, reason: number) => boolean> {
  const common = await settingOf(ctx, autoWatchSetting)
  // One statement for all users instead of one per user.
  const rows = await ctx.sql<{ ownerId: string; value: unknown }>`
    select owner_id as "ownerId", value from app_setting where tenant_id = ${ctx.caller.tenantId} and key = ${autoWatchSetting.key} and not deleted
      and scope = ${scopes.user} and owner_id = any(${userIds}::text[]) and value <> 'null'`
  const own = new Map(rows.map(row => [row.ownerId, row.value]))
  return (userId, reason) => includesReason(own.has(userId) ? own.get(userId) : common, reason)
}
