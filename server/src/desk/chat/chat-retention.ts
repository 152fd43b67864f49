import type { RetentionRule } from '../../engine/retention/retention.ts'
import { purge } from '../../engine/retention/retention-rules.ts'
import type { Id } from '../../kernel/id.ts'

/** Messages of chats that a tenant no longer keeps. */
export const chatRetention: RetentionRule = {
  name: 'chat_message',
  days: 'chatDays',
  async remove(ctx, before, limit) {
    const rows = await ctx.sql<{ id: Id }>`select id from chat_message
      where tenant_id = ${ctx.caller.tenantId} and created < ${before} limit ${limit}`
    return await purge(
      ctx,
      'chat_message',
      rows.map(({ id }) => id),
    )
  },
}
