import { Type } from 'typebox'
import { ownerPlace } from '../../documents/file/file.ts'
import { demand, everyone, managers, may, members, narrowedTo, type Permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import type { Input } from '../../kernel/operation.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record/record.ts'
import { type Fault, Forbidden, fault, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Refs, Text } from '../../kernel/schema/values.ts'
import { sql } from '../../kernel/sql.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { ownerKind, owners, refuseUnknownOwner } from '../../records/references/owner.ts'
import { roomKind, visibleRooms } from './room-visibility.ts'

export { roomKind }

const shape = {
  name: Text(120),
  topic: Text(500),
  kind: Code(codeTableOfCodes('chat.kind', roomKind), {
    description: '0 team · 1 direct · 2 customer · 3 assistant · 4 visitor.',
  }),
  owner: Code(owners),
  ownerId: Text(100),
  members: Refs('User', 200),
  archived: Type.Boolean(),
}

export type ChatRoom = Stored<typeof shape>
export type RoomValues = Values<typeof shape>

/** A chat room: of an item, a container or a group, or for its members only. */
export const chatRooms = resource('ChatRoom', {
  about:
    'A chat room that belongs to an item, a container or a group and is visible to everybody who sees that, or that has `members` and is visible to them only. A team room (`kind` 0) is for staff; a customer room (2) is also for the requester. A room with a visitor (4) is for staff and for somebody on the portal who began it. The same members have one direct room (1).',
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

export function roomInPath(ctx: Context, { params }: Input): Promise<ChatRoom> {
  return chatRooms.get(ctx, params.id ?? '')
}

function kindFindings({ kind }: ChatRoom): Finding[] {
  const known = Object.values(roomKind).some(code => code === kind)
  return known ? [] : [{ path: '/kind', code: 'unknown-code', message: `${kind} is not a known kind of room` }]
}

const isPrivate = ({ kind, members: people }: Pick<RoomValues, 'kind' | 'members'>) =>
  kind === roomKind.direct || kind === roomKind.assistant || people.length > 0

/** A change of a room must not make its earlier messages visible to others. */
async function checkRoom(ctx: Context, room: RoomValues, before: ChatRoom | undefined): Promise<void> {
  const faults: Fault[] = []
  if (before) {
    for (const property of ['kind', 'owner', 'ownerId'] as const)
      if (before[property] !== room[property])
        faults.push(
          fault([property], 'room-fixed', 'the kind and the owner of a room cannot be changed', room[property]),
        )
    const stays = before.members.every(id => room.members.includes(id)) && room.members.length === before.members.length
    if (room.kind === roomKind.direct && !stays)
      faults.push(fault(['members'], 'room-fixed', 'the members of a direct room cannot be changed'))
    else if (isPrivate(before) && room.members.length === 0)
      faults.push(fault(['members'], 'room-fixed', 'a room with members must keep at least one'))
  }
  if (!before && room.kind === roomKind.visitor && ctx.caller.kind !== 'guest')
    faults.push(fault(['kind'], 'visitor-room', 'only visitors of the portal begin such a room', room.kind))
  if (room.members.length > 0 && !before && !room.members.includes(ctx.caller.userId))
    faults.push(fault(['members'], 'not-a-member', 'must include the caller'))
  if (faults.length > 0) throw new RuleBroken(faults[0]?.Code ?? '', faults[0]?.Message ?? '', faults)
  await refuseUnknownOwner(ctx, room, before)
}

/** The permission is checked at the place of the room’s owner; in a private room, membership is enough. */
export async function demandInRoom(ctx: Context, wanted: Permission, room: RoomValues): Promise<void> {
  if (!isPrivate(room)) demand(ctx.caller, wanted, await ownerPlace(ctx, room))
}

/** Creates a room. If the same members have a direct room already, returns that one. */
export async function openRoom(ctx: Context, values: Partial<RoomValues>): Promise<{ room: ChatRoom; made: boolean }> {
  const kind = values.kind ?? roomKind.team
  const alone = kind === roomKind.direct || kind === roomKind.assistant
  const given = (values.members ?? []).map(id => id.toLowerCase())
  const people = given.length > 0 || alone ? [...new Set([...given, ctx.caller.userId])] : []
  if (kind === roomKind.direct && people.length < 2)
    throw new RuleBroken('too-few-members', 'a direct room needs two members or more', [
      fault(['members'], 'too-few-members', 'must include another user'),
    ])
  const input = { ...values, members: people, ...(alone ? { owner: ownerKind.tenant, ownerId: '' } : {}) }
  await demandInRoom(ctx, chatRooms.permissions.create, chatRooms.completed(input))
  if (kind !== roomKind.direct) {
    const room = await chatRooms.create(ctx, input)
    await addMarkers(ctx, room.id, people)
    return { room, made: true }
  }
  const pair = people.toSorted().join(' ')
  // Two concurrent requests for the same room must not create two: the second waits here and finds the first one’s.
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`chat ${ctx.caller.tenantId} ${pair}`}, 0))`
  const [known] = await ctx.sql<{
    id: Id
  }>`select id from chat_room where tenant_id = ${ctx.caller.tenantId} and pair = ${pair} and not deleted`
  if (known) return { room: await chatRooms.get(ctx, known.id), made: false }
  const room = await chatRooms.create(ctx, input, { id: newId(), own: { pair: sql`${pair}` } })
  await addMarkers(ctx, room.id, people)
  return { room, made: true }
}

/** Markers make the users participants, whose unread messages are counted. */
async function addMarkers(ctx: Context, roomId: Id, userIds: readonly Id[]): Promise<void> {
  if (userIds.length === 0) return
  await ctx.sql`insert into chat_marker (tenant_id, user_id, room_id, at)
    select ${ctx.caller.tenantId}::uuid, u, ${roomId}::uuid, ${ctx.now}::timestamptz from unnest(${userIds}::uuid[]) u on conflict do nothing returning 1`
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

/** Deletes a room. Its creator or a manager of the place may; direct rooms cannot be deleted. */
export async function removeRoom(ctx: Context, id: Id, more: { expect?: Expect }): Promise<ChatRoom> {
  const room = await chatRooms.get(ctx, id)
  if (room.kind === roomKind.direct) throw new RuleBroken('room-fixed', 'a direct room cannot be deleted')
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
  if (!may(ctx.caller, narrowedTo(managers, wanted), await ownerPlace(ctx, room)))
    throw new Forbidden('only the creator of the room or a manager may do this')
}
