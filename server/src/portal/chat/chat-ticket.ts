import { Type } from 'typebox'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { createAnnotation } from '../../desk/annotation/create-annotation.ts'
import { channel } from '../../desk/channel.ts'
import { chatRooms } from '../../desk/chat/chat.ts'
import { type ChatMessage, chatMessages, linkItem } from '../../desk/chat/message.ts'
import { type Ticket, tickets } from '../../desk/ticket/ticket.ts'
import { changeTicket, createTicket, readTicketBody } from '../../desk/ticket/write-ticket.ts'
import { changeOwner } from '../../documents/file/file.ts'
import { tenantCaller, withSystemAuthority } from '../../identity/tenant-caller.ts'
import { itemSource } from '../../items/item-codes.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { setting } from '../../platform/setting.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { asVisitor, endChat, type VisitorChat } from './visitor-chat.ts'

export const chatMinutes = setting('portal.chatMinutes', {
  schema: Type.Integer({ minimum: 0, maximum: 1440 }),
  default: 15,
  scopes: ['tenant', 'container'],
  description:
    'The number of minutes after which a chat of a visitor whom nobody answers becomes a ticket by itself; 0 for never.',
})

/** Finds and locks the visitor's side of a room. */
export async function lockChat(ctx: Context, roomId: Id): Promise<VisitorChat | undefined> {
  const [chat] = await ctx.sql<VisitorChat>`select room_id as "roomId", container_id as "containerId", name, email,
      item_id as "itemId", ended_at is not null as ended
    from visitor_chat where tenant_id = ${ctx.caller.tenantId} and room_id = ${roomId} for update`
  return chat
}

/** Makes a ticket of a chat, with the whole conversation in its order, and ends the chat. The context is that of whoever decides it. */
export async function chatToTicket(ctx: Context, chat: VisitorChat, title = ''): Promise<Ticket> {
  const system = withSystemAuthority(ctx)
  const room = await chatRooms.get(system, chat.roomId)
  const t = raw('t')
  const rows = await ctx.sql<{ json: string }>`select ${chatMessages.json(t)} as json from chat_message t
    where t.tenant_id = ${ctx.caller.tenantId} and t.room_id = ${chat.roomId} and not t.deleted order by t.id`
  const messages = rows.map(({ json }): ChatMessage => JSON.parse(json))
  const first = messages.find(each => each.createdBy === chat.roomId)
  const body = {
    containerId: chat.containerId,
    title: title || titleOf(first?.body ?? '') || `Chat: ${chat.name}`,
    description: first?.body ?? '',
    requester: requesterOf(chat),
    channel: channel.chat,
    source: itemSource.chat,
    Meta: { chatId: chat.roomId },
  }
  const { ticket } = await createTicket(ctx, readTicketBody(body, true))
  for (const message of messages) await tell(ctx, chat, ticket.id, message)
  if (first) await linkItem(ctx, room, first, ticket.id)
  await endChat(ctx, chat, ticket.id)
  return ticket
}

/** The same in the name of nobody, when the visitor leaves or waits in vain. */
export function chatToTicketByItself(ctx: Context, chat: VisitorChat): Promise<Ticket> {
  const caller = { ...tenantCaller(ctx.caller.tenantId), name: chat.name, kind: 'guest' } as const
  return chatToTicket(ctx.derive({ caller }), chat)
}

/** The visitor of a chat that is a ticket already leaves an address: it becomes that of the requester, unless there is one. */
export async function completeRequester(ctx: Context, chat: VisitorChat, itemId: Id): Promise<void> {
  const system = asVisitor(ctx, chat)
  const facet = await tickets.find(system, itemId)
  if (!facet || facet.requester?.email || facet.requester?.userId) return
  await changeTicket(system, itemId, readTicketBody({ requester: requesterOf(chat) }, false))
}

/** Visitors may state the address of anybody, so that it makes nobody the requester before it is proven. */
const requesterOf = ({ name, email }: VisitorChat) => ({ name, ...(email ? { email, unproven: true } : {}) })

function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length > 200 ? `${line.slice(0, 199).toWellFormed()}…` : line
}

/**
 * Tells a message in the ticket, as its author and at its time. It is history: its reader has seen it in the chat, so that nobody is
 * notified and no mail is sent.
 */
async function tell(ctx: Context, chat: VisitorChat, itemId: Id, message: ChatMessage): Promise<void> {
  const own = message.createdBy === chat.roomId
  const author = own ? tenantCaller(ctx.caller.tenantId) : tenantCaller(ctx.caller.tenantId, message.createdBy)
  const past = ctx.derive({ caller: { ...author, kind: 'import' }, now: new Date(message.created) })
  const told = await createAnnotation(past, {
    itemId,
    kind: own ? annotationKind.message : message.internal ? annotationKind.note : annotationKind.reply,
    body: message.body,
    bodyFormat: 'text',
    via: channel.chat,
    attachments: message.files,
    ...(own ? { mail: { headers: headersOf(chat) } } : {}),
  })
  if (message.files.length === 0) return
  const ofRoom = sql`t.id = any(${message.files}::uuid[]) and t.owner = ${ownerKind.chatRoom} and t.owner_id = ${chat.roomId}`
  await changeOwner(past, { where: ofRoom, owner: ownerKind.annotation, ownerId: told.id })
}

/** Visitors say themselves who they are. */
function headersOf({ name, email }: VisitorChat) {
  const from = { name, ...(email ? { address: email } : {}) }
  return { from, ...(email ? { warning: `It is not proven that ${email} wrote this: it was said in a chat.` } : {}) }
}
