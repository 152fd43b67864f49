import { Type } from 'typebox'
import { ownerPlace } from '../../documents/file/file.ts'
import { demand, everyone, managers, may, members, type Permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import type { Input } from '../../kernel/operation.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record.ts'
import { type Fault, Forbidden, fault, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { sql } from '../../kernel/sql.ts'
import { Code, Refs, Text } from '../../kernel/values.ts'
import { refuseUnknownOwner } from '../../records/owner.ts'
import { roomKind, visibleRooms } from './room-visibility.ts'

const shape = {
  name: Text(120),
  topic: Text(500),
  kind: Code({ description: '0 team · 1 direct · 2 customer · 3 assistant.' }),
  owner: Code(),
  ownerId: Text(100),
  members: Refs('User', 200),
  archived: Type.Boolean(),
}

export type ChatRoom = Stored<typeof shape>
export type RoomValues = Values<typeof shape>

/** Where people talk: beside an item, a container, a group, or among themselves. */
export const chatRooms = resource('ChatRoom', {
  about:
    'Where people talk: beside an item, a container or a group, seen by whoever sees that; or among `members`, seen by them alone. What a team says (`kind` 0) is for staff, a customer’s room (2) for the requester too; the same people have one direct room (1).',
  shape,
  required: [],
  area: 'chat',
  table: 'chat_room',
  may: { read: everyone, create: members, update: members, delete: members },
  visible: visibleRooms,
  check: checkRoom,
  findings: kindFindings,
  example: { name: 'Cable trouble', topic: 'Who finds it first' },
})

/** The room that a path names. */
export function roomInPath(ctx: Context, { params }: Input): Promise<ChatRoom> {
  return chatRooms.get(ctx, params.id ?? '')
}

function kindFindings({ kind }: ChatRoom): Finding[] {
  const known = Object.values(roomKind).some(code => code === kind)
  return known ? [] : [{ path: '/kind', code: 'unknown-code', message: `${kind} means nothing here` }]
}

const isPrivate = ({ kind, members: people }: Pick<RoomValues, 'kind' | 'members'>) =>
  kind === roomKind.direct || kind === roomKind.assistant || people.length > 0

/** What was said in a room must not come before other eyes by a change of the room. */
async function checkRoom(ctx: Context, room: RoomValues, before: ChatRoom | undefined): Promise<void> {
  const faults: Fault[] = []
  if (before) {
    for (const property of ['kind', 'owner', 'ownerId'] as const)
      if (before[property] !== room[property])
        faults.push(fault([property], 'room-fixed', 'a room stays what it is and where it is', room[property]))
    const stays = before.members.every(id => room.members.includes(id)) && room.members.length === before.members.length
    if (room.kind === roomKind.direct && !stays)
      faults.push(fault(['members'], 'room-fixed', 'a direct room keeps its people'))
    else if (isPrivate(before) && room.members.length === 0)
      faults.push(fault(['members'], 'room-fixed', 'a room that was for some stays for some'))
  }
  if (room.members.length > 0 && !before && !room.members.includes(ctx.caller.userId))
    faults.push(fault(['members'], 'not-a-member', 'you must be one of them'))
  if (faults.length > 0) throw new RuleBroken(faults[0]?.Code ?? '', faults[0]?.Message ?? '', faults)
  await refuseUnknownOwner(ctx, room, before)
}

/** The right is held where the room's owner lies; among people, being one of them is enough. */
export async function demandInRoom(ctx: Context, wanted: Permission, room: RoomValues): Promise<void> {
  if (!isPrivate(room)) demand(ctx.caller, wanted, await ownerPlace(ctx, room))
}

/** Makes a room; the direct room of the same people is there once, and answered. */
export async function openRoom(ctx: Context, values: Partial<RoomValues>): Promise<{ room: ChatRoom; made: boolean }> {
  const kind = values.kind ?? roomKind.team
  const alone = kind === roomKind.direct || kind === roomKind.assistant
  const given = (values.members ?? []).map(id => id.toLowerCase())
  const people = given.length > 0 || alone ? [...new Set([...given, ctx.caller.userId])] : []
  if (kind === roomKind.direct && people.length < 2)
    throw new RuleBroken('too-few-members', 'a direct room is for two or more', [
      fault(['members'], 'too-few-members', 'must name somebody else'),
    ])
  const wish = { ...values, members: people, ...(alone ? { owner: 0, ownerId: '' } : {}) }
  await demandInRoom(ctx, chatRooms.permissions.create, chatRooms.completed(wish))
  if (kind !== roomKind.direct) {
    const room = await chatRooms.create(ctx, wish)
    await addMarkers(ctx, room.id, people)
    return { room, made: true }
  }
  const pair = people.toSorted().join(' ')
  // Of two who open the same room at once, one waits here and then finds it.
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`chat ${ctx.caller.tenantId} ${pair}`}, 0))`
  const [known] = await ctx.sql<{
    id: Id
  }>`select id from chat_room where tenant_id = ${ctx.caller.tenantId} and pair = ${pair} and not deleted`
  if (known) return { room: await chatRooms.get(ctx, known.id), made: false }
  const room = await chatRooms.create(ctx, wish, { id: newId(), own: { pair: sql`${pair}` } })
  await addMarkers(ctx, room.id, people)
  return { room, made: true }
}

/** Whoever takes part is told how much they have not read. */
async function addMarkers(ctx: Context, roomId: Id, userIds: readonly Id[]): Promise<void> {
  if (userIds.length === 0) return
  await ctx.sql`insert into chat_marker (tenant_id, user_id, room_id, at)
    select ${ctx.caller.tenantId}::uuid, u, ${roomId}::uuid, ${ctx.now}::timestamptz from unnest(${userIds}::uuid[]) u on conflict do nothing`
}

export async function changeRoom(
  ctx: Context,
  id: Id,
  values: Partial<RoomValues>,
  more: { expect?: Expect },
): Promise<ChatRoom> {
  await demandInRoom(ctx, chatRooms.permissions.update, await chatRooms.get(ctx, id))
  const room = await chatRooms.update(ctx, id, values, more)
  await addMarkers(ctx, room.id, room.members)
  return room
}

/** Who made a room takes it away, or a manager of the place; people keep their direct rooms. */
export async function removeRoom(ctx: Context, id: Id, more: { expect?: Expect }): Promise<ChatRoom> {
  const room = await chatRooms.get(ctx, id)
  if (room.kind === roomKind.direct) throw new RuleBroken('room-fixed', 'a direct room stays')
  await demandRemoval(ctx, room)
  return await chatRooms.remove(ctx, id, more)
}

export async function restoreRoom(ctx: Context, id: Id): Promise<ChatRoom> {
  await demandRemoval(ctx, await chatRooms.get(ctx, id, { deleted: true }))
  return await chatRooms.restore(ctx, id)
}

async function demandRemoval(ctx: Context, room: ChatRoom): Promise<void> {
  const wanted = chatRooms.permissions.delete
  await demandInRoom(ctx, wanted, room)
  if (room.createdBy === ctx.caller.userId) return
  if (!may(ctx.caller, { ...wanted, roles: managers }, await ownerPlace(ctx, room)))
    throw new Forbidden('only who made the room, or a manager, may do this')
}
