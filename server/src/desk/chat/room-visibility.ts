import { asId, ownerVisible } from '../../documents/visibility.ts'
import { seesEverything } from '../../identity/visibility.ts'
import { visibleItems } from '../../items/item/item.ts'
import { type Caller, staff } from '../../kernel/access.ts'
import { and, or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { isThere } from '../../records/references/is-there.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { isStaffAtItem } from '../annotation/annotation.ts'

export const roomKind = { team: 0, direct: 1, customer: 2, assistant: 3, visitor: 4 } as const

/**
 * The one condition of visibility for lists, single rooms, messages and streams. A room with members is visible to its
 * members only, even where the caller may otherwise see everything; any other room is visible to whoever sees its
 * owner. Team rooms and rooms with a visitor are for staff only.
 */
export function visibleRooms(caller: Caller, r: Sql, ownerSeen?: Sql): Sql {
  const people = sql`(${r}.kind in (${raw(String(roomKind.direct))}, ${raw(String(roomKind.assistant))}) or ${r}.members <> '{}')`
  return sql`(case when ${people} then ${caller.userId}::uuid = any(${r}.members) else ${visibleByOwner(caller, r, ownerSeen)} end)`
}

function visibleByOwner(caller: Caller, r: Sql, ownerSeen?: Sql): Sql {
  const { authority } = caller
  const at = { owner: sql`${r}.owner`, ownerId: sql`${r}.owner_id` }
  const seen = ownerSeen ?? ownerVisible(caller, at, { without: ['UserGroup'] })
  const ofGroup = seesEverything(authority) ? raw('true') : sql`${r}.owner_id = any(${authority.groups}::text[])`
  const reach = sql`(case when ${r}.owner = ${raw(String(ownerKind.userGroup))} then ${ofGroup} else ${seen} end)`
  if (authority.superAdmin || staff.some(role => authority.tenant.has(role))) return reach
  return and([reach, sql`(${r}.kind = ${raw(String(roomKind.customer))} or ${isStaffInRoom(caller, r)})`])
}

/** Staff of a single container are staff in the rooms of that container and of its items. */
function isStaffInRoom(caller: Caller, r: Sql): Sql {
  const i = raw('i')
  const containers = [...caller.authority.places.container]
    .filter(([, held]) => staff.some(role => held.has(role)))
    .map(([id]) => id)
  return or([
    sql`(${r}.owner = ${raw(String(ownerKind.container))} and ${r}.owner_id = any(${containers}::text[]))`,
    sql`(${r}.owner = ${raw(String(ownerKind.item))} and ${isThere(sql`from item i where i.tenant_id = ${caller.tenantId} and i.id = ${asId(sql`${r}.owner_id`)}
      and ${visibleItems(caller, i)} and ${isStaffAtItem(caller, i)}`)})`,
    sql`(${r}.owner = ${raw(String(ownerKind.userGroup))} and ${r}.owner_id = any(${caller.authority.groups}::text[]))`,
  ])
}

/** Messages are visible to whoever sees their room. */
export function visibleMessages(caller: Caller, m: Sql): Sql {
  const r = raw('r')
  return sql`exists (select 1 from chat_room r where r.tenant_id = ${caller.tenantId} and r.id = ${m}.room_id and not r.deleted and ${visibleRooms(caller, r)})`
}
