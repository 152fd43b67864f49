import { changeOwner, files } from '../../documents/file/file.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents, appendWith } from '../../kernel/events.ts'
import { type Id, isId, newId } from '../../kernel/id.ts'
import { type Expect, expectVersion } from '../../kernel/record/record.ts'
import { refuseUnknownReferences, unknownReferences } from '../../kernel/record/references.ts'
import { Forbidden, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { mentionedUsers } from '../annotation/mentions.ts'
import { startWatching, watchReason } from '../watch/watch.ts'
import { type ChatRoom, demandInRoom, roomKind } from './chat.ts'
import {
  type ChatMessage,
  chatMessages,
  eventContext,
  type MessageValues,
  messageOf,
  postPermission,
  tellVisitor,
  touchColumns,
} from './message.ts'

const t = raw('t')

/** Posts a message to a room. A repeated `clientId` returns the message that was posted first. */
export async function createMessage(
  ctx: Context,
  room: ChatRoom,
  given: Partial<MessageValues>,
): Promise<{ message: ChatMessage; made: boolean }> {
  await demandInRoom(ctx, postPermission, room)
  if (room.archived) throw new RuleBroken('room-archived', 'the room is archived and accepts no messages')
  const message = chatMessages.completed({ ...given, roomId: room.id, editedAt: null, itemId: '' })
  refuseEmpty(message)
  refuseInternal(room, message)
  await refuseForeignReply(ctx, room, message)
  // Visitors do not know the staff, and must not find out who there is.
  const mentioned = ctx.caller.kind === 'guest' ? [] : await mentionedUsers(ctx, message.body)
  message.mentions = [...new Set([...message.mentions, ...mentioned])]
  await refuseUnknownReferences(ctx, chatMessages.columns, { ...message, replyToId: '' }, undefined)
  const id = newId()
  const { tenantId, userId } = ctx.caller
  const happened = { kind: 'chat.message', entity: 'ChatMessage', recordId: id, changes: eventContext(room, message) }
  const [row] = await ctx.sql<{ json: string }>`
    with made as (
      insert into chat_message (tenant_id, id, created, created_by, updated, updated_by, room_id, body, reply_to_id, files, mentions, client_id, internal)
      values (${tenantId}, ${id}, ${ctx.now}, ${userId}, ${ctx.now}, ${userId}, ${room.id}, ${message.body}, ${message.replyToId || null}::uuid, ${message.files}::uuid[], ${message.mentions}::uuid[], ${message.clientId}, ${message.internal})
      on conflict (tenant_id, room_id, created_by, client_id) where client_id <> '' do nothing
      returning *
    ), happened as (${appendWith(ctx, raw('made'), happened, raw('made.version'))}), read as (
      insert into chat_marker (tenant_id, user_id, room_id, message_id, at)
      select m.tenant_id, m.created_by, m.room_id, m.id, m.created from made m
      on conflict (tenant_id, user_id, room_id) do update set message_id = excluded.message_id, at = excluded.at
        where chat_marker.message_id is null or chat_marker.message_id < excluded.message_id
      returning 1
    )
    select ${chatMessages.json(t)} as json from made t`
  if (!row) return { message: await findByClientId(ctx, room.id, message.clientId), made: false }
  await takeOverFiles(ctx, room.id, message.files)
  await notifyMentioned(ctx, room, id, message.mentions)
  if (room.kind === roomKind.visitor && !message.internal) await tellVisitor(ctx, room.id)
  return { message: JSON.parse(row.json), made: true }
}

function refuseEmpty({ body, files: attached }: Pick<MessageValues, 'body' | 'files'>): void {
  if (body.trim() === '' && attached.length === 0) throw new Invalid([fault(['body'], 'required', 'must not be blank')])
}

function refuseInternal({ kind }: ChatRoom, { internal }: MessageValues): void {
  if (!internal || kind === roomKind.visitor) return
  throw new RuleBroken('visitor-room', 'only messages of a room with a visitor can be internal', [
    fault(['internal'], 'visitor-room', 'must be false: everybody in this room reads its messages', internal),
  ])
}

async function refuseForeignReply(ctx: Context, room: ChatRoom, { replyToId }: MessageValues): Promise<void> {
  if (replyToId === '') return
  const [there] = isId(replyToId)
    ? await ctx.sql`select 1 from chat_message where tenant_id = ${ctx.caller.tenantId} and id = ${replyToId} and room_id = ${room.id}`
    : []
  if (!there) throw unknownReferences([{ entity: 'ChatMessage', id: replyToId, path: ['replyToId'] }])
}

async function findByClientId(ctx: Context, roomId: Id, clientId: string): Promise<ChatMessage> {
  const [known] = await ctx.sql<{ json: string }>`select ${chatMessages.json(t)} as json from chat_message t
    where t.tenant_id = ${ctx.caller.tenantId} and t.room_id = ${roomId} and t.created_by = ${ctx.caller.userId} and t.client_id = ${clientId}`
  return JSON.parse(known?.json ?? 'null')
}

/**
 * Uploaded files that have no owner yet belong to the room from now on, which makes them visible to whoever sees the
 * room.
 */
async function takeOverFiles(ctx: Context, roomId: Id, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return
  const loose = sql`t.id = any(${ids}::uuid[]) and t.owner = ${ownerKind.tenant} and t.created_by = ${ctx.caller.userId}`
  await changeOwner(ctx, { where: loose, owner: ownerKind.chatRoom, ownerId: roomId })
}

async function notifyMentioned(ctx: Context, room: ChatRoom, id: Id, userIds: readonly Id[]): Promise<void> {
  const others = userIds.filter(userId => userId !== ctx.caller.userId)
  await appendEvents(
    ctx,
    others.map(userId => ({
      kind: 'user.mentioned',
      entity: 'ChatMessage',
      recordId: id,
      changes: { userId: { to: userId }, roomId: { to: room.id } },
    })),
  )
  if (room.owner === ownerKind.item) await startWatching(ctx, [room.ownerId], others, watchReason.mentioned)
}

/** Edits a message. Only its author may. */
export async function updateMessage(
  ctx: Context,
  room: ChatRoom,
  id: Id,
  values: Partial<MessageValues>,
  expect: Expect,
): Promise<ChatMessage> {
  await demandInRoom(ctx, postPermission, room)
  const before = await messageOf(ctx, room.id, id, { lock: true })
  expectVersion(before, expect)
  demandAuthor(ctx, before)
  const after = chatMessages.completed({ ...before, ...values })
  refuseEmpty(after)
  after.mentions = [...new Set([...after.mentions, ...(await mentionedUsers(ctx, after.body))])]
  const same = (a: readonly string[], b: readonly string[]) =>
    a.length === b.length && a.every(each => b.includes(each))
  const stays = after.body === before.body && same(after.files, before.files) && same(after.mentions, before.mentions)
  if (after.replyToId !== before.replyToId || after.clientId !== before.clientId) {
    const path = after.replyToId === before.replyToId ? 'clientId' : 'replyToId'
    throw new RuleBroken('message-fixed', 'a message cannot be moved', [
      fault([path], 'message-fixed', 'cannot be changed'),
    ])
  }
  if (after.internal !== before.internal)
    throw new RuleBroken('message-fixed', 'an internal message stays internal, and no other becomes one', [
      fault(['internal'], 'message-fixed', 'cannot be changed'),
    ])
  if (stays) return before
  await refuseUnknownReferences(ctx, chatMessages.columns, { ...after, replyToId: '' }, before)
  const [row] = await ctx.sql<{ json: string }>`
    with made as (
      update chat_message set body = ${after.body}, files = ${after.files}::uuid[], mentions = ${after.mentions}::uuid[], edited_at = ${ctx.now}, ${touchColumns(ctx)}
      where tenant_id = ${ctx.caller.tenantId} and id = ${id} returning *
    ), happened as (${appendWith(ctx, raw('made'), { kind: 'chat.edited', entity: 'ChatMessage', recordId: id, changes: eventContext(room, {}) }, raw('made.version'))})
    select ${chatMessages.json(t)} as json from made t`
  await takeOverFiles(ctx, room.id, after.files)
  await notifyMentioned(
    ctx,
    room,
    id,
    after.mentions.filter(userId => !before.mentions.includes(userId)),
  )
  return JSON.parse(row?.json ?? 'null')
}

/**
 * Deletes a message. Only its author may. The row stays as a tombstone; the text and the author’s files are removed for
 * good.
 */
export async function deleteMessage(ctx: Context, room: ChatRoom, id: Id, expect: Expect): Promise<void> {
  await demandInRoom(ctx, postPermission, room)
  const before = await messageOf(ctx, room.id, id, { lock: true })
  expectVersion(before, expect)
  demandAuthor(ctx, before)
  await ctx.sql`
    with made as (
      update chat_message set body = '', files = '{}', mentions = '{}', deleted = true, ${touchColumns(ctx)}
      where tenant_id = ${ctx.caller.tenantId} and id = ${id} returning *
    ), happened as (${appendWith(ctx, raw('made'), { kind: 'chat.takenBack', entity: 'ChatMessage', recordId: id, changes: eventContext(room, {}) }, raw('made.version'))})
    delete from chat_reaction where tenant_id = ${ctx.caller.tenantId} and message_id = ${id}`
  for (const file of before.files) {
    const own = await files.find(ctx, file)
    if (own?.owner === ownerKind.chatRoom && own.createdBy === ctx.caller.userId) await files.remove(ctx, file)
  }
}

function demandAuthor(ctx: Context, { createdBy }: ChatMessage): void {
  if (createdBy !== ctx.caller.userId) throw new Forbidden('only the author may do this')
}
