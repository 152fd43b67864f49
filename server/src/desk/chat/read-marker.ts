import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { type ChatRoom, chatRooms } from './chat.ts'
import { visibleRooms } from './room-visibility.ts'

/** Unread messages are counted up to this number, because a user needs no exact figure beyond it. */
export const maxCounted = 100

/** The number of messages of others after a message, counted up to `maxCounted`. */
function unreadAfter(ctx: Context, roomId: Sql, messageId: Sql): Sql {
  return sql`(select count(*)::int from (select 1 from chat_message m
    where m.tenant_id = ${ctx.caller.tenantId} and m.room_id = ${roomId} and (${messageId} is null or m.id > ${messageId}) and not m.deleted and m.created_by <> ${ctx.caller.userId}
    order by m.id limit ${maxCounted}) u)`
}

/** How far a user has read a room. */
interface ReadMarker {
  roomId: Id
  messageId: Id | ''
  unread: number
}

/** Marks a room as read up to a message, by default the latest. The marker only moves forward. */
export async function markRead(ctx: Context, room: ChatRoom, given: string): Promise<ReadMarker> {
  const { tenantId, userId } = ctx.caller
  const wanted = given.toLowerCase()
  const which = wanted === '' ? sql`true` : sql`m.id = ${isId(wanted) ? wanted : null}::uuid`
  const [message] = await ctx.sql<{ id: Id }>`select m.id from chat_message m
    where m.tenant_id = ${tenantId} and m.room_id = ${room.id} and ${which} order by m.id desc limit 1`
  if (!message && wanted !== '') throw unknownReferences([{ entity: 'ChatMessage', id: given, path: ['messageId'] }])
  const [row] = await ctx.sql<{ messageId: Id | null; unread: number }>`
    with marked as (
      insert into chat_marker as k (tenant_id, user_id, room_id, message_id, at) values (${tenantId}, ${userId}, ${room.id}, ${message?.id ?? null}::uuid, ${ctx.now})
      on conflict (tenant_id, user_id, room_id) do update set at = excluded.at,
        message_id = case when k.message_id is null or excluded.message_id > k.message_id then excluded.message_id else k.message_id end
      returning message_id)
    select k.message_id as "messageId", ${unreadAfter(ctx, sql`${room.id}::uuid`, sql`k.message_id`)} as unread from marked k`
  return { roomId: room.id, messageId: row?.messageId ?? '', unread: row?.unread ?? 0 }
}

/** The rooms in which the caller takes part and has unread messages, newest first. */
export async function unreadRooms(ctx: Context): Promise<string> {
  const r = raw('r')
  const [row] = await ctx.sql<{ text: string }>`
    select coalesce('[' || string_agg(u.json, ',' order by u.id desc) || ']', '[]') as text from (
      select r.id, ${chatRooms.json(r, undefined, { unread: raw('k.unread'), check: raw("'[]'::json") })} as json
      from (select k.room_id, ${unreadAfter(ctx, sql`k.room_id`, sql`k.message_id`)} as unread
        from chat_marker k where k.tenant_id = ${ctx.caller.tenantId} and k.user_id = ${ctx.caller.userId}) k
      join chat_room r on r.tenant_id = ${ctx.caller.tenantId} and r.id = k.room_id and not r.deleted and not r.archived
      where k.unread > 0 and ${visibleRooms(ctx.caller, r)}) u`
  return row?.text ?? '[]'
}
