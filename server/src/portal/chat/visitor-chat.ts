import { createHash, randomBytes } from 'node:crypto'
import { containers } from '../../containers/container/container.ts'
import { type ChatRoom, chatRooms, roomKind } from '../../desk/chat/chat.ts'
import { tellVisitor } from '../../desk/chat/message.ts'
import { createMessage } from '../../desk/chat/write-message.ts'
import { watchLevel } from '../../desk/watch/watch.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { openToVisitors } from '../../identity/visitor.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId, newId } from '../../kernel/id.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { fault, NotFound, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { ownerKind } from '../../records/references/owner.ts'

// A visitor's chat is a room of the service desk, which staff see and answer like any other. The visitor has no account: a random token, of
// which a digest is stored, opens this chat and nothing else, and the messages of the visitor have the id of the room as their author.

/** How long after its last message a chat can be continued; ms. */
export const lifetime = 24 * 3_600_000

export const maxText = 4000
export const maxOpenPerNetwork = 5
export const maxMessages = 500
const pageSize = 200

export interface VisitorChat {
  roomId: Id
  containerId: Id
  name: string
  email: string
  itemId: Id | null
  ended: boolean
}

interface VisitorMessage {
  id: Id
  at: string
  author: string
  /** Whether the visitor wrote it. */
  own: boolean
  text: string
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** The visitor as the author of what they write; what they may do is decided here. */
export function asVisitor(ctx: Context, { roomId, name }: Pick<VisitorChat, 'roomId' | 'name'>): Context {
  return ctx.derive({ caller: { ...tenantCaller(ctx.caller.tenantId, roomId), name, kind: 'guest' } })
}

interface Beginning {
  containerId: string
  name: string
  email?: string | undefined
  text: string
}

/** Begins a chat at a desk that is open to visitors, and returns its token. */
export async function beginChat(
  ctx: Context,
  given: Beginning,
  network: string,
): Promise<{ token: string; roomId: Id }> {
  const { tenantId } = ctx.caller
  const containerId = await openDesk(ctx, given.containerId.toLowerCase())
  const from = digestOf(`${tenantId} ${network}`)
  // One beginning after another, so that each counts those before it.
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`visitor chats ${from}`}, 0))`
  const open = await ctx.sql`${openOfNetwork(tenantId, from)}`
  if (open.length >= maxOpenPerNetwork)
    throw new Refusal(429, 'too-many-chats', `there are ${maxOpenPerNetwork} open chats from this network`, {
      headers: { 'retry-after': '3600' },
    })
  const roomId = newId()
  const name = given.name.trim()
  const visitor = asVisitor(ctx, { roomId, name })
  const values = { kind: roomKind.visitor, owner: ownerKind.container, ownerId: containerId }
  const room = await chatRooms.create(visitor, { ...values, name: name.slice(0, 120).toWellFormed() }, { id: roomId })
  const token = randomBytes(32).toString('base64url')
  await ctx.sql`insert into visitor_chat (tenant_id, room_id, container_id, token_digest, name, email, network, begun)
    values (${tenantId}, ${roomId}, ${containerId}, ${digestOf(token)}, ${name}, ${given.email ?? ''}, ${from}, ${ctx.now})`
  await addWatchers(ctx, room)
  await createMessage(visitor, room, { body: given.text })
  return { token, roomId }
}

/** The open chats of a network, no more than it may have. */
export function openOfNetwork(tenantId: Id, network: string): Sql {
  return sql`select 1 from visitor_chat where tenant_id = ${tenantId} and network = ${network} and ended_at is null limit ${maxOpenPerNetwork}`
}

/** A desk that is not open to visitors does not exist for them. */
async function openDesk(ctx: Context, containerId: string): Promise<Id> {
  const c = raw('c')
  const [desk] = isId(containerId)
    ? await ctx.sql<{ id: Id }>`select c.id from container c
        where c.tenant_id = ${ctx.caller.tenantId} and c.id = ${containerId} and ${openToVisitors(c)} and ${containers.visible(ctx.caller, c)}`
    : []
  if (!desk) throw new NotFound('service desk')
  return desk.id
}

/** Whoever watches the desk takes part in its chats, so that their unread messages are counted. */
async function addWatchers(ctx: Context, { id, ownerId }: ChatRoom): Promise<void> {
  await ctx.sql`insert into chat_marker (tenant_id, user_id, room_id, at)
    select distinct ${ctx.caller.tenantId}::uuid, w.user_id, ${id}::uuid, ${ctx.now}::timestamptz from watch w
    where w.tenant_id = ${ctx.caller.tenantId} and w.owner = ${ownerKind.container} and w.owner_id = ${ownerId} and w.user_id is not null
      and w.level <> ${watchLevel.muted} and not w.deleted
    on conflict do nothing returning 1`
}

/** Finds the chat of a token. One that is unknown, expired, of another tenant or of a closed portal gets the same answer. */
export async function chatOf(ctx: Context, token: string, more: { lock?: boolean } = {}): Promise<VisitorChat> {
  const { tenantId } = ctx.caller
  const c = raw('c')
  const since = new Date(ctx.now.getTime() - lifetime)
  const [chat] =
    await ctx.sql<VisitorChat>`select v.room_id as "roomId", v.container_id as "containerId", v.name, v.email,
      v.item_id as "itemId", v.ended_at is not null as ended
    from visitor_chat v join container c on c.tenant_id = ${ownTenant} and c.id = v.container_id
    where v.tenant_id = ${tenantId} and v.token_digest = ${digestOf(token)} and v.left_at is null
      and ${openToVisitors(c)} and ${containers.visible(ctx.caller, c)}
      and ${since} < coalesce((select m.created from chat_message m where m.tenant_id = ${ownTenant} and m.room_id = v.room_id and not m.internal
        order by m.id desc limit 1), v.begun)
    ${more.lock ? raw('for update of v') : sql``}`
  if (!chat) throw new NotFound('chat')
  return chat
}

/** Writes a message of the visitor. */
export async function say(ctx: Context, chat: VisitorChat, text: string): Promise<VisitorMessage> {
  const visitor = asVisitor(ctx, chat)
  const room = await chatRooms.get(visitor, chat.roomId)
  if (chat.ended) throw new RuleBroken('room-archived', 'the chat has ended and accepts no messages')
  const [written] = await ctx.sql<{ count: number }>`select count(*)::int as count from (select 1 from chat_message
    where tenant_id = ${ctx.caller.tenantId} and room_id = ${chat.roomId} limit ${maxMessages}) m`
  if ((written?.count ?? 0) >= maxMessages)
    throw new RuleBroken('chat-full', `a chat has at most ${maxMessages} messages`, [
      fault(['text'], 'chat-full', 'is one message too many'),
    ])
  const { message } = await createMessage(visitor, room, { body: text })
  return { id: message.id, at: message.created, author: chat.name, own: true, text: message.body }
}

/** What the visitor reads: the messages of both sides after a message, oldest first, without those that are internal. */
export async function messagesFor(ctx: Context, { roomId, name }: VisitorChat, after = ''): Promise<VisitorMessage[]> {
  if (after !== '' && !isId(after)) return []
  return await ctx.sql<VisitorMessage>`select m.id, ${instantText(raw('m.created'))} as at, m.body as text, m.created_by = m.room_id as own,
      case when m.created_by = m.room_id then ${name}::text else coalesce(u.name, '') end as author
    from chat_message m left join "user" u on u.tenant_id = ${ownTenant} and u.id = m.created_by
    where m.tenant_id = ${ctx.caller.tenantId} and m.room_id = ${roomId} and not m.internal and not m.deleted
      and (${after || null}::uuid is null or m.id > ${after || null}::uuid)
    order by m.id limit ${pageSize}`
}

/** Ends the chat: it leaves the open ones, and its room accepts no messages. */
export async function endChat(ctx: Context, chat: VisitorChat, itemId: Id | null): Promise<void> {
  await ctx.sql`update visitor_chat set ended_at = ${ctx.now}, network = '', item_id = ${itemId}
    where tenant_id = ${ctx.caller.tenantId} and room_id = ${chat.roomId}`
  const visitor = asVisitor(ctx, chat)
  if (await chatRooms.find(visitor, chat.roomId)) await chatRooms.update(visitor, chat.roomId, { archived: true })
  await tellVisitor(ctx, chat.roomId)
}
