import type { Context } from '../../kernel/context.ts'
import { appendWith } from '../../kernel/events.ts'
import { type Input, operation } from '../../kernel/operation.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { raw, type Sql } from '../../kernel/sql.ts'
import { emojiOf } from '../annotation/reactions.ts'
import { chatRooms, demandInRoom } from './chat.ts'
import { about, type ChatMessage, chatMessages, messageOf, posting } from './message.ts'

/** So many different reactions of one person to one message. */
const most = 20

export const react = operation({
  permission: posting,
  placed: true,
  mode: 'write',
  summary: 'React to a message',
  description: 'The caller reacts with an emoji; doing it again changes nothing.',
  reply: { status: 200, schema: chatMessages.schema, description: 'The message with all reactions.' },
  refusals: [404, 422],
  async run(ctx, input) {
    const { emoji, message, happened } = await reacted(ctx, input, 'to')
    const { tenantId, userId } = ctx.caller
    await ctx.sql`with changed as (
        insert into chat_reaction (tenant_id, message_id, user_id, emoji, at) values (${tenantId}, ${message.id}, ${userId}, ${emoji}, ${ctx.now})
        on conflict do nothing returning 1) ${happened}`
    const [row] = await ctx.sql<{ count: number }>`select count(*)::int as count from chat_reaction
      where tenant_id = ${tenantId} and message_id = ${message.id} and user_id = ${userId}`
    if ((row?.count ?? 0) > most)
      throw new RuleBroken('too-many-reactions', `one person reacts to one message in at most ${most} ways`)
    return { body: await messageOf(ctx, message.roomId, message.id), version: message.version }
  },
})

export const unreact = operation({
  permission: posting,
  placed: true,
  mode: 'write',
  summary: 'Take a reaction to a message back',
  description: 'The caller’s reaction with this emoji is gone; it need not have been there.',
  reply: { status: 204, description: 'There is no such reaction of the caller.' },
  refusals: [404],
  async run(ctx, input) {
    const { emoji, message, happened } = await reacted(ctx, input, 'from')
    await ctx.sql`with changed as (
        delete from chat_reaction where tenant_id = ${ctx.caller.tenantId} and message_id = ${message.id} and user_id = ${ctx.caller.userId} and emoji = ${emoji}
        returning 1) ${happened}`
    return {}
  },
})

/** The message, held, and what the log is told if something changes. */
async function reacted(
  ctx: Context,
  { params }: Input,
  side: 'from' | 'to',
): Promise<{ emoji: string; message: ChatMessage; happened: Sql }> {
  const emoji = emojiOf(params)
  const room = await chatRooms.get(ctx, params.id ?? '')
  await demandInRoom(ctx, posting, room)
  const message = await messageOf(ctx, room.id, params.messageId ?? '', { lock: true })
  const changes = { ...about(room, {}), reaction: { [side]: emoji } }
  const kind = side === 'to' ? 'chat.reacted' : 'chat.unreacted'
  return {
    emoji,
    message,
    happened: appendWith(ctx, raw('changed'), { kind, entity: 'ChatMessage', recordId: message.id, changes }),
  }
}
