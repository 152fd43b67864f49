import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { autoWatchPreferences } from './auto-watch-setting.ts'

/**
 * Creates watches because of something users did, or that was done to them, unless their settings exclude this reason
 * or they have a watch on the item already. Authors and assignees need no stored watch.
 */
export async function startWatching(
  ctx: Context,
  itemIds: readonly Id[],
  userIds: readonly Id[],
  reason: number,
): Promise<void> {
  if (itemIds.length === 0 || userIds.length === 0) return
  const wants = await autoWatchPreferences(ctx, userIds)
  const willing = [...new Set(userIds)].filter(userId => wants(userId, reason))
  const rows = itemIds.flatMap(itemId => willing.map(userId => ({ id: newId(), owner_id: itemId, user_id: userId })))
  if (rows.length === 0) return
  const { tenantId, userId: by } = ctx.caller
  const made = await ctx.sql<{ id: Id; userId: Id; ownerId: Id }>`
    insert into watch (tenant_id, id, created, created_by, updated, updated_by, user_id, owner, owner_id, reason)
    select ${tenantId}::uuid, w.id, ${ctx.now}::timestamptz, ${by}::uuid, ${ctx.now}::timestamptz, ${by}::uuid, w.user_id, ${ownerKind.item}, w.owner_id, ${reason}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w(id uuid, owner_id text, user_id uuid)
    on conflict (tenant_id, owner, owner_id, user_id) where user_id is not null and not deleted do nothing
    returning id, user_id as "userId", owner_id as "ownerId"`
  await appendEvents(
    ctx,
    made.map(({ id, userId, ownerId }) => ({
      kind: 'watch.created',
      entity: 'Watch',
      recordId: id,
      changes: {
        userId: { to: userId },
        owner: { to: ownerKind.item },
        ownerId: { to: ownerId },
        reason: { to: reason },
      },
    })),
  )
}
