import { followQuery, readStreamRange, streamReply, streamSchema } from '../../engine/live/event-stream-operations.ts'
import { check, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { type Operation, operation, placed, type Routes } from '../../kernel/operation.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { sql } from '../../kernel/sql.ts'
import { history } from '../../records/history/history.ts'
import { changeRoom, chatRooms, openRoom, type RoomValues, removeRoom, restoreRoom, roomInPath } from './chat.ts'
import { toAnnotation, toItem } from './convert-message.ts'
import { messageJsonById } from './message.ts'
import {
  editMessage,
  getMessage,
  listMessages,
  postMessage,
  react,
  removeMessage,
  unreact,
} from './message-operations.ts'
import { markRead, maxCounted, unreadRooms } from './read-marker.ts'

const roomSchema = chatRooms.schema

const stockList = list(chatRooms)

const listRooms: Operation = {
  ...stockList,
  placed: true,
  description: `${chatRooms.about} \`unread=true\` lists the rooms in which the caller takes part and has unread messages, with their number in \`unread\`, counted up to ${maxCounted}.`,
  query: {
    ...stockList.query,
    unread: { type: 'string', enum: ['true', 'false'], description: 'Only rooms with unread messages.' },
  },
  reply: {
    ...stockList.reply,
    schema: {
      type: 'array',
      items: {
        ...roomSchema,
        title: 'ListedChatRoom',
        properties: {
          ...roomSchema.properties,
          unread: { type: 'integer', description: `The number of unread messages, counted up to ${maxCounted}.` },
        },
      },
    },
  },
  async run(ctx, input) {
    if (input.query.unread === 'true') return { text: await unreadRooms(ctx) }
    const { unread: _, ...query } = input.query
    return await stockList.run(ctx, { ...input, query })
  },
}

const createRoom = operation<Partial<RoomValues>>({
  permission: chatRooms.permissions.create,
  placed: true,
  mode: 'write',
  summary: 'Create a room',
  description: `${chatRooms.about} The creator of a room with members is one of them.`,
  body: { schema: chatRooms.createSchema, read: chatRooms.readCreate, example: chatRooms.example },
  reply: { status: 201, schema: roomSchema, description: 'The room.' },
  also: { 200: 'These members have a direct room already.' },
  refusals: [422],
  async run(ctx, { body, path }) {
    const { room, made } = await openRoom(ctx, body)
    const findings = chatRooms.findings?.(room, ctx)
    return {
      status: made ? 201 : 200,
      body: { ...room, check: (await findings) ?? [] },
      version: room.version,
      ...(made ? { headers: { location: `${path}/${room.id}` } } : {}),
    }
  },
})

const readSchema: Schema = {
  type: 'object',
  properties: {
    messageId: { type: 'string', maxLength: 36, description: 'The last read message; by default the latest.' },
  },
  additionalProperties: false,
}

const read = operation<{ messageId?: string }>({
  permission: chatRooms.permissions.read,
  placed: true,
  mode: 'write',
  summary: 'Mark a room as read',
  description:
    'Marks the room as read up to a message, or completely. The marker only moves forward. From then on the caller takes part in the room: it is listed when it has unread messages.',
  body: { schema: readSchema, read: reader<{ messageId?: string }>(readSchema), example: { messageId: '' } },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'ChatMarker',
      properties: {
        roomId: { type: 'string' },
        messageId: { type: 'string' },
        unread: { type: 'integer', description: `The number of unread messages, counted up to ${maxCounted}.` },
      },
      required: ['roomId', 'messageId', 'unread'],
    },
    description: 'The caller’s read marker.',
  },
  refusals: [404, 422],
  run: async (ctx, input) => ({ body: await markRead(ctx, await roomInPath(ctx, input), input.body.messageId ?? '') }),
})

const stream = operation({
  permission: chatRooms.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Stream the events of a room',
  description:
    'The events of the room as server-sent events: `kind` is `chat.message`, `chat.edited`, `chat.takenBack`, `chat.reacted` or an event of the room itself; `message` is the current message. Starting and resuming work as with `GET /api/event/stream`.',
  query: followQuery,
  reply: { status: 200, schema: streamSchema, description: 'The events, as server-sent events.' },
  refusals: [404],
  async run(ctx, input) {
    const { id } = await roomInPath(ctx, input)
    return streamReply(ctx, {
      ...readStreamRange(input),
      concerns: ({ entity, recordId, kind, changes }) =>
        recordId === id || (entity === 'ChatMessage' && kind !== 'user.mentioned' && changes.roomId?.to === id),
      where: sql`and (e.record_id = ${id} or (e.entity = 'ChatMessage' and e.kind <> 'user.mentioned' and e.changes -> 'roomId' ->> 'to' = ${id}))`,
      rendered: {
        key: id,
        async texts(inner, events) {
          const said = events.filter(event => event.entity === 'ChatMessage')
          const messages = await messageJsonById(inner, [...new Set(said.map(event => event.recordId))])
          return new Map(said.map(event => [event, withMessage(event.text, messages.get(event.recordId))] as const))
        },
      },
    })
  },
})

function withMessage(text: string, message: string | undefined): string {
  return message === undefined ? text : `${text.slice(0, -1)}, "message" : ${message}}`
}

export const routes: Routes = {
  'GET /chat': listRooms,
  'POST /chat': createRoom,
  'PUT /chat': placed(update(chatRooms, changeRoom)),
  'GET /chat/:id': placed(get(chatRooms)),
  'PUT /chat/:id': placed(update(chatRooms, changeRoom)),
  'PATCH /chat/:id': placed(update(chatRooms, changeRoom)),
  'DELETE /chat/:id': placed(remove(chatRooms, removeRoom)),
  'POST /chat/:id/restore': placed(restore(chatRooms, restoreRoom)),
  'GET /chat/:id/history': placed(history(chatRooms)),
  'GET /chat/:id/check': placed(check(chatRooms)),
  'GET /chat/:id/message': listMessages,
  'POST /chat/:id/message': postMessage,
  'GET /chat/:id/message/:messageId': getMessage,
  'PUT /chat/:id/message/:messageId': editMessage,
  'PATCH /chat/:id/message/:messageId': editMessage,
  'DELETE /chat/:id/message/:messageId': removeMessage,
  'PUT /chat/:id/message/:messageId/reaction/:emoji': react,
  'DELETE /chat/:id/message/:messageId/reaction/:emoji': unreact,
  'POST /chat/:id/message/:messageId/to-item': toItem,
  'POST /chat/:id/message/:messageId/to-annotation': toAnnotation,
  'PUT /chat/:id/read': read,
  'GET /chat/:id/stream': stream,
}
