import { Type } from 'typebox'
import { chatRooms } from '../../desk/chat/chat.ts'
import { items } from '../../items/item/item.ts'
import { members, narrowedTo } from '../../kernel/access.ts'
import { bodyOf, operation, type Routes } from '../../kernel/operation.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { Text } from '../../kernel/schema/values.ts'
import { chatToTicket, lockChat } from './chat-ticket.ts'

const ticketBody = bodyOf(
  Type.Object(
    { title: Type.Optional(Text(500, { description: 'By default the first line of the chat.' })) },
    { additionalProperties: false },
  ),
  { title: 'The printer does not print' },
)

const toTicket = operation<{ title?: string }>({
  permission: narrowedTo(members, items.permissions.create),
  placed: true,
  mode: 'write',
  summary: 'Make a ticket of a chat with a visitor',
  description:
    'The ticket has the whole conversation in its order, each message with its author and time: those of the visitor as messages, answers as replies, internal ones as notes. The chat ends. A second request returns the same ticket. A room without a visitor is 422 `visitor-room`.',
  body: ticketBody,
  reply: { status: 201, schema: items.schema, description: 'The ticket, as an item.' },
  also: { 200: 'The chat was a ticket already.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const room = await chatRooms.get(ctx, params.id ?? '')
    const chat = await lockChat(ctx, room.id)
    if (!chat) throw new RuleBroken('visitor-room', 'only a chat with a visitor becomes a ticket as a whole')
    const known = chat.itemId ? await items.find(ctx, chat.itemId) : undefined
    if (known) return { status: 200, body: known, version: known.version }
    const { id } = await chatToTicket(ctx, chat, body.title)
    const item = await items.get(ctx, id)
    return { body: item, version: item.version, headers: { location: `/api/ticket/${id}` } }
  },
})

export const routes: Routes = { 'POST /chat/:id/to-ticket': toTicket }
