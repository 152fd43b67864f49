import { Type } from 'typebox'
import { contributors, everyone, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { appendWith } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Instant, LongText, Ref, Refs, Text } from '../../kernel/schema/values.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { type ReactionTable, reactionsProperty } from '../reaction.ts'
import type { ChatRoom } from './chat.ts'
import { visibleMessages } from './room-visibility.ts'

const shape = {
  roomId: Ref('ChatRoom'),
  body: LongText(20_000),
  replyToId: Ref('ChatMessage'),
  files: Refs('File', 20),
  mentions: Refs('User', 50),
  clientId: Text(100, {
    description: 'Makes posting repeatable: a second message of the same author with this id is not stored.',
  }),
  internal: Type.Boolean({
    description: 'A note for staff in a room with a visitor, which the visitor does not see; it stays one.',
  }),
  editedAt: Instant,
  itemId: Ref('Item'),
}

export type ChatMessage = Stored<typeof shape>
export type MessageValues = Values<typeof shape>

export const postPermission = permission('chat.post', contributors)

/** The table of reactions to messages. */
export const reactionTable: ReactionTable = { table: 'chat_reaction', column: 'message_id' }

/** A message in a chat room. */
export const chatMessages = resource('ChatMessage', {
  about:
    'A message in a chat room. Only its author may edit or delete it; a deleted message stays in the list without its text. Events record that a message was posted, not its text.',
  shape,
  required: ['body'],
  serverSet: ['roomId', 'editedAt', 'itemId'],
  area: 'chat',
  table: 'chat_message',
  may: { read: everyone, create: contributors, update: contributors, delete: contributors },
  visible: visibleMessages,
  order: '-id',
  example: { body: 'Has anybody seen the cable?' },
  derived: {
    reactions: reactionsProperty(reactionTable),
  },
})

const t = raw('t')

/** Gets a message of this room that the caller may see. */
export async function messageOf(
  ctx: Context,
  roomId: Id,
  id: Id,
  more: { lock?: boolean; deleted?: boolean } = {},
): Promise<ChatMessage> {
  const message = await chatMessages.get(ctx, id, more)
  if (message.roomId !== roomId) throw new NotFound()
  return message
}

/** What the events of a message record: the room and the mentioned users, never the text. */
export function eventContext(
  room: Pick<ChatRoom, 'id' | 'owner' | 'ownerId'>,
  { replyToId, mentions }: Partial<MessageValues>,
) {
  return {
    roomId: { to: room.id },
    owner: { to: room.owner },
    ...(room.ownerId ? { ownerId: { to: room.ownerId } } : {}),
    ...(replyToId ? { replyToId: { to: replyToId } } : {}),
    ...(mentions && mentions.length > 0 ? { mentions: { to: mentions } } : {}),
  }
}

/** The columns that every change of a message sets. */
export const touchColumns = (ctx: Context): Sql =>
  sql`updated = ${ctx.now}, updated_by = ${ctx.caller.userId}, version = version + 1`

/** Records that an item was created from the message. */
export async function linkItem(ctx: Context, room: ChatRoom, { id }: ChatMessage, itemId: Id): Promise<void> {
  const changes = { ...eventContext(room, {}), itemId: { to: itemId } }
  await ctx.sql`with made as (
      update chat_message set item_id = ${itemId}, ${touchColumns(ctx)} where tenant_id = ${ctx.caller.tenantId} and id = ${id} returning version)
    ${appendWith(ctx, raw('made'), { kind: 'chat.becameItem', entity: 'ChatMessage', recordId: id, changes }, raw('made.version'))}`
}

/** The messages by id, as subscribers of the room receive them, including deleted ones without their text. */
export async function messageJsonById(ctx: Context, ids: readonly Id[]): Promise<Map<Id, string>> {
  const rows = await ctx.sql<{ id: Id; json: string }>`select t.id, ${chatMessages.json(t)} as json from chat_message t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[])`
  return new Map(rows.map(row => [row.id, row.json]))
}

/** The channel of PostgreSQL that names the rooms in which visitors have something new to read. */
export const visitorChannel = 'gantry_visitor_chat'

/** Tells the processes in which a visitor waits for it, when the transaction is committed. Such rooms are few, unlike writes. */
export async function tellVisitor(ctx: Context, roomId: Id): Promise<void> {
  await ctx.sql`select pg_notify(${visitorChannel}, ${roomId}::text)`
}
