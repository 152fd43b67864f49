import type { RetentionRule } from '../../engine/retention/retention.ts'
import { purge } from '../../engine/retention/retention-rules.ts'
import type { Id } from '../../kernel/id.ts'

/** Chats of visitors that a tenant no longer keeps, with their rooms, which have the names of the visitors. */
export const visitorChatRetention: RetentionRule = {
  name: 'visitor_chat',
  days: 'chatDays',
  async remove(ctx, before, limit) {
    const rows = await ctx.sql<{ id: Id }>`select room_id as id from visitor_chat
      where tenant_id = ${ctx.caller.tenantId} and ended_at < ${before} limit ${limit}`
    return await purge(
      ctx,
      'chat_room',
      rows.map(({ id }) => id),
    )
  },
}
