import type { Context } from '../../kernel/context.ts'
import { get, idOf, list } from '../../kernel/crud.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { answerList } from '../../kernel/list-operation.ts'
import { readListing } from '../../kernel/listing.ts'
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
  summary: 'Read a room',
  description:
    'The messages of a room, the newest first; with `after` those behind one, the oldest first. Pages like any list. What was taken back is there with `deleted=include`, without its words.',
  query: {
    ...listQuery,
    before: { type: 'string', description: 'Only messages before this one.' },
    after: { type: 'string', description: 'Only messages behind this one, the oldest first.' },
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
    const listing = readListing(ctx, chatMessages, input.query, {
      where,
      order,
      known: ['before', 'after'],
    })
    return await answerList(ctx, listing, input)
  },
})

/** On one side of a message of this room; beside one that is not there lies nothing. */
function beside(ctx: Context, roomId: Id, side: Sql, id: unknown): Sql {
  if (!isId(id)) return raw('false')
  return sql`t.id ${side} (select m.id from chat_message m where m.tenant_id = ${ctx.caller.tenantId} and m.room_id = ${roomId} and m.id = ${id}::uuid)`
}

export const postMessage = operation<Partial<MessageValues>>({
  permission: postPermission,
  placed: true,
  mode: 'write',
  summary: 'Say something in a room',
  description:
    'Whom the text names (`@bob`, `@[Bob Miller]`, `@[id]`) is told. Files that were uploaded for nothing in particular belong to the room from then on. The same `clientId` again is the same message.',
  body: { schema: chatMessages.createSchema, read: chatMessages.readCreate, example: chatMessages.example },
  reply: { status: 201, schema: messageSchema, description: 'The message.' },
  also: { 200: 'It was said already, under the same `clientId`.' },
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
  description: `${chatMessages.about} Merges; \`editedAt\` tells when it was changed.`,
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
  summary: 'Take a message back',
  description: chatMessages.about,
  reply: { status: 204, description: 'Its words are gone.' },
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
