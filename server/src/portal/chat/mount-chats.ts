import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { networkOf } from '../../identity/oauth/sign-in/attempt-limit.ts'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import { queryReader } from '../../kernel/http/query.ts'
import { bodyOf } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Email, Name, Text } from '../../kernel/schema/values.ts'
import { readWhole } from '../../kernel/schema/whole-number.ts'
import type { OpenRoutes } from '../../platform/openapi/openapi.ts'
import { fresh, portalPath, type VisitorDoor, type VisitorRequest } from '../visitor/visitor.ts'
import { chatToTicketByItself, completeRequester } from './chat-ticket.ts'
import { maxWaitingPerNetwork, openChatWaiting } from './chat-waiting.ts'
import {
  beginChat,
  chatOf,
  maxMessages,
  maxOpenPerNetwork,
  maxText,
  messagesFor,
  say,
  type VisitorChat,
} from './visitor-chat.ts'

const closed = { additionalProperties: false }
const words = Name(maxText)

const beginBody = bodyOf(
  Type.Object(
    {
      containerId: Text(36, { description: 'The service desk.' }),
      name: Name(120),
      email: Type.Optional(Email),
      text: words,
    },
    closed,
  ),
  { containerId: '01890000-0000-7000-8000-000000000000', name: 'Jane Doe', text: 'The printer does not print.' },
)
const messageBody = bodyOf(Type.Object({ text: words }, closed), { text: 'It is the one on the second floor.' })
const leaveBody = bodyOf(Type.Object({ email: Type.Optional(Email) }, closed), { email: 'jane@example.com' })

/** Longer than this, proxies end requests. */
const maxWaitSeconds = 30

const chatQuery: Record<string, Schema> = {
  after: { type: 'string', maxLength: 36, description: 'The id of a message: only messages after it.' },
  wait: {
    type: 'integer',
    minimum: 0,
    maximum: maxWaitSeconds,
    description: 'If there are none, wait so many seconds for one.',
  },
}
const readChatQuery = queryReader({ mode: 'read', query: chatQuery })

/** Mounts the chats of visitors. */
export function mountChats(app: FastifyInstance, enter: VisitorDoor, database: Database): void {
  const waiting = openChatWaiting(database)
  app.addHook('preClose', waiting.close)
  const path = `${portalPath}/chat`
  app.post(path, async (request: VisitorRequest, reply) => {
    const given = beginBody.read(request.body)
    const begun = await enter(request, 'write', async ctx => {
      const { token } = await beginChat(ctx, given, networkOf(request.ip))
      return { token, ...(await shownChat(ctx, await chatOf(ctx, token), '')) }
    })
    return fresh(reply).code(201).send(begun)
  })
  app.get(`${path}/:token`, async (request: VisitorRequest, reply) => {
    const { after = '', wait: given } = readChatQuery(request.query)
    const wait = readWhole('wait', given, 0, maxWaitSeconds) ?? 0
    const read = (mode: 'read' | 'again') =>
      enter(request, mode, async ctx =>
        shownChat(ctx, await chatOf(ctx, tokenIn(request)), String(after).toLowerCase()),
      )
    const hasNews = ({ messages, ended }: Awaited<ReturnType<typeof read>>) => messages.length > 0 || ended
    const now = await read('read')
    if (wait === 0 || hasNews(now)) return fresh(reply).send(now)
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const later = await waiting.admit(networkOf(request.ip), async () => {
      const { told } = await waiting.watch(now.chatId, wait, gone.signal)
      // What was said before the room was watched.
      const meanwhile = await read('again')
      if (hasNews(meanwhile)) {
        gone.abort()
        return meanwhile
      }
      await told
      return await read('again')
    })
    return fresh(reply).send(later)
  })
  app.post(`${path}/:token/message`, async (request: VisitorRequest, reply) => {
    const { text } = messageBody.read(request.body)
    const said = await enter(request, 'write', async ctx =>
      say(ctx, await chatOf(ctx, tokenIn(request), { lock: true }), text),
    )
    return fresh(reply).code(201).send(said)
  })
  app.post(`${path}/:token/leave`, async (request: VisitorRequest, reply) => {
    const { email = '' } = leaveBody.read(request.body)
    return fresh(reply).send(
      await enter(request, 'write', async ctx =>
        leave(ctx, await chatOf(ctx, tokenIn(request), { lock: true }), email),
      ),
    )
  })
}

const tokenIn = ({ params }: VisitorRequest) => params.token ?? ''

async function shownChat(ctx: Context, chat: VisitorChat, after: string) {
  const { roomId, ended } = chat
  return { chatId: roomId, ended, ticket: await keyOf(ctx, chat), messages: await messagesFor(ctx, chat, after) }
}

async function keyOf(ctx: Context, { itemId }: VisitorChat): Promise<string> {
  return itemId ? ((await items.find(withSystemAuthority(ctx), itemId))?.key ?? '') : ''
}

/** Ends the visitor's side. With an address, of now or of the beginning, the chat becomes a ticket, so that somebody can answer. */
async function leave(ctx: Context, chat: VisitorChat, given: string): Promise<{ ticket: string }> {
  const email = given || chat.email
  await ctx.sql`update visitor_chat set left_at = ${ctx.now}, email = ${email}
    where tenant_id = ${ctx.caller.tenantId} and room_id = ${chat.roomId}`
  const left = { ...chat, email }
  if (email === '') return { ticket: await keyOf(ctx, chat) }
  if (!chat.ended) return { ticket: (await chatToTicketByItself(ctx, left)).key }
  if (chat.itemId) await completeRequester(ctx, left, chat.itemId)
  return { ticket: await keyOf(ctx, chat) }
}

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean' }
const whole = (title: string, properties: Record<string, Schema>): Schema => ({
  type: 'object',
  title,
  properties,
  required: Object.keys(properties),
})
const messageSchema = whole('VisitorMessage', {
  id: text,
  at: { type: 'string', format: 'date-time' },
  author: { type: 'string', description: 'The name of the visitor, or of the user who answers.' },
  own: { type: 'boolean', description: 'Whether the visitor wrote it.' },
  text,
})
const ticketKey: Schema = { type: 'string', description: 'The key of the ticket that the chat became; else empty.' }
const chatProperties: Record<string, Schema> = {
  chatId: text,
  ended: { ...flag, description: 'Whether it accepts no more messages.' },
  ticket: ticketKey,
  messages: { type: 'array', description: 'The oldest first, at most 200.', items: messageSchema },
}

const noCredential = 'No credential is needed. Requests are limited by network (429).'
const unknownToken =
  'A token that is unknown, of another tenant, left, or without a message for 24 hours, and one of a desk that is not open to visitors any more, are the same 404.'

export const chatRoutes: OpenRoutes = {
  'POST /portal/:slug/chat': {
    summary: 'Begin a chat as a visitor',
    description: `Begins a chat with the staff of a service desk that is open to visitors. The token opens this chat only, until 24 hours after its last message. A network has at most ${maxOpenPerNetwork} open chats (429 \`too-many-chats\`). ${noCredential}`,
    body: { schema: beginBody.schema, example: beginBody.example },
    reply: {
      status: 201,
      description: 'The chat.',
      schema: whole('BegunVisitorChat', { token: text, ...chatProperties }),
    },
    refusals: [400, 404, 429],
  },
  'GET /portal/:slug/chat/:token': {
    summary: 'Read a chat as a visitor',
    description: `The messages of both sides; internal ones are not among them. With \`wait\` and without messages the answer comes with the next one, or when the time is over or the chat ends. ${maxWaitingPerNetwork} requests of a network wait at a time (429 \`too-many-waiting\`). ${unknownToken} ${noCredential}`,
    query: chatQuery,
    reply: { status: 200, description: 'The chat.', schema: whole('VisitorChat', chatProperties) },
    refusals: [400, 404, 429, 503],
  },
  'POST /portal/:slug/chat/:token/message': {
    summary: 'Write in a chat as a visitor',
    description: `A chat has at most ${maxMessages} messages (422 \`chat-full\`); one that has ended accepts none (422 \`room-archived\`). ${unknownToken} ${noCredential}`,
    body: { schema: messageBody.schema, example: messageBody.example },
    reply: { status: 201, description: 'The message.', schema: messageSchema },
    refusals: [400, 404, 422, 429],
  },
  'POST /portal/:slug/chat/:token/leave': {
    summary: 'Leave a chat as a visitor',
    description: `The token is not valid any more. With an e-mail address, here or at the beginning, the chat becomes a ticket at once. ${unknownToken} ${noCredential}`,
    body: { schema: leaveBody.schema, example: leaveBody.example },
    reply: {
      status: 200,
      description: 'The visitor has left.',
      schema: whole('LeftVisitorChat', { ticket: ticketKey }),
    },
    refusals: [400, 404, 422, 429],
  },
}
