import type { Context } from '../../kernel/context.ts'
import { get, idOf, list } from '../../kernel/crud.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { answerList } from '../../kernel/list/list-operation.ts'
import { readListing } from '../../kernel/list/listing.ts'
import { operation } from '../../kernel/operation.ts'
import { and, raw, type Sql, sql } from '../../kernel/sql.ts'
import { reactionOperations } from '../reaction.ts'
import { chatRooms, demandInRoom, roomInPath } from './chat.ts'
import { chatMessages, eventContext, type MessageValues, messageOf, postPermission, reactionTable } from './message.ts'
import { createMessage, deleteMessage, updateMessage } from './write-message.ts'

const listQuery = list(chatMessages).query

const messageSchema = chatMessages.schema

export const listMessages = operation({
  permission: chatRooms.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'List the messages of a room',
  description:
    'The messages of a room, newest first; with `after` the messages after that one, oldest first. Pages like any list. `deleted=include` adds deleted messages, without their text.',
  filters: true,
  query: {
    ...listQuery,
    before: { type: 'string', description: 'Only messages before this one.' },
    after: { type: 'string', description: 'Only messages after this one, the oldest first.' },
  },
  reply: { status: 200, schema: { type: 'array', items: messageSchema }, description: 'The messages.' },
  refusals: [404],
  async run(ctx, input) {
    const room = await roomInPath(ctx, input)
    const { before, after } = input.query
    const where = and([
      sql`t.room_id = ${room.id}`,
      before === undefined ? raw('true') : beside(ctx, room.id, raw('<'), before),
      after === undefined ? raw('true') : beside(ctx, room.id, raw('>'), after),
    ])
    const order = after === undefined ? '-id' : 'id'
    const listing = await readListing(ctx, chatMessages, input.query, {
      where,
      order,
      known: ['before', 'after'],
    })
    return await answerList(ctx, listing, input)
  },
})

/**
 * The condition for messages before or after one message of this room. If that message is not in the room, nothing
 * matches.
 */
function beside(ctx: Context, roomId: Id, side: Sql, id: unknown): Sql {
  if (!isId(id)) return raw('false')
  return sql`t.id ${side} (select m.id from chat_message m where m.tenant_id = ${ctx.caller.tenantId} and m.room_id = ${roomId} and m.id = ${id}::uuid)`
}

export const postMessage = operation<Partial<MessageValues>>({
  permission: postPermission,
  placed: true,
  mode: 'write',
  summary: 'Post a message',
  description:
    'Users that the text mentions (`@bob`, `@[Bob Miller]`, `@[id]`) are notified. Attached files that have no owner yet belong to the room from then on. A repeated `clientId` returns the message that was posted first.',
  body: { schema: chatMessages.createSchema, read: chatMessages.readCreate, example: chatMessages.example },
  reply: { status: 201, schema: messageSchema, description: 'The message.' },
  also: { 200: 'A message with this `clientId` was posted already.' },
  refusals: [404, 422],
  async run(ctx, input) {
    const { message, made } = await createMessage(ctx, await roomInPath(ctx, input), input.body)
    return {
      status: made ? 201 : 200,
      body: message,
      version: message.version,
      ...(made ? { headers: { location: `${input.path}/${message.id}` } } : {}),
    }
  },
})

export const getMessage = operation({
  permission: chatRooms.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Get one message',
  description: chatMessages.about,
  query: { deleted: { type: 'string', enum: ['include'] } },
  reply: { status: 200, schema: messageSchema, description: 'The message.' },
  refusals: [404],
  async run(ctx, input) {
    const room = await roomInPath(ctx, input)
    const stock = get(chatMessages)
    await messageOf(ctx, room.id, input.params.messageId ?? '', { deleted: input.query.deleted === 'include' })
    return await stock.run(ctx, { ...input, params: { id: input.params.messageId ?? '' } })
  },
})

export const editMessage = operation<Partial<MessageValues>>({
  permission: postPermission,
  placed: true,
  mode: 'write',
  summary: 'Edit a message',
  description: `${chatMessages.about} Merges; \`editedAt\` is the time of the change.`,
  body: {
    schema: chatMessages.updateSchema,
    read: chatMessages.readUpdate,
    example: { body: 'Has anybody seen the blue cable?' },
  },
  reply: { status: 200, schema: messageSchema, description: 'The message as it is now.' },
  refusals: [404, 412, 422],
  async run(ctx, input) {
    const id = idOf({ ...input, params: { id: input.params.messageId ?? '' } })
    const message = await updateMessage(ctx, await roomInPath(ctx, input), id, input.body, input.expect)
    return { body: message, version: message.version }
  },
})

export const removeMessage = operation({
  permission: postPermission,
  placed: true,
  mode: 'write',
  summary: 'Delete a message',
  description: chatMessages.about,
  reply: { status: 204, description: 'The message is deleted.' },
  refusals: [404, 412, 422],
  async run(ctx, input) {
    await deleteMessage(ctx, await roomInPath(ctx, input), input.params.messageId ?? '', input.expect)
    return {}
  },
})

export const { react, unreact } = reactionOperations({
  ...reactionTable,
  entity: 'ChatMessage',
  noun: 'message',
  permission: postPermission,
  schema: messageSchema,
  events: { added: 'chat.reacted', removed: 'chat.unreacted' },
  async lock(ctx, params) {
    const room = await chatRooms.get(ctx, params.id ?? '')
    await demandInRoom(ctx, postPermission, room)
    const { id } = await messageOf(ctx, room.id, params.messageId ?? '', { lock: true })
    return { id, context: eventContext(room, {}) }
  },
  read: chatMessages.get,
})
