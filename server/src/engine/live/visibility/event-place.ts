import type { Caller } from '../../../kernel/access.ts'
import { type Kind, kindNamed } from '../../../kernel/kinds.ts'
import { name, ownTenant, raw, type Sql, sql } from '../../../kernel/sql.ts'
import { ownerKind } from '../../../records/references/owner.ts'

/**
 * The container of a record (`t`): that which it is or belongs to, or that of its item. Null if there is none, and if the
 * caller sees the record but not the item. `withItems` is false for callers from whom the containers of items are hidden.
 */
export function placeOf(caller: Caller, kind: Kind, withItems: boolean): Sql {
  if (kind.entity === 'Container') return raw('t.id::text')
  const own = kind.byProperty.get('containerId')
  if (own) return sql`t.${name(own.column)}::text`
  const item = withItems ? placeOfItem(caller, kind) : undefined
  if (!kind.byProperty.has('ownerId') || !kind.byProperty.has('owner')) return item ?? none
  const ofOwner = withItems ? itemOf(caller, asId(raw('t.owner_id'))) : none
  return sql`coalesce(${item ?? none}, case t.owner when ${ownerKind.container} then nullif(t.owner_id, '') when ${ownerKind.item} then ${ofOwner} end)`
}

/** The place of kinds that belong to no container. */
export const none = raw('null::text')

/** The properties that hold the id of the item a record belongs to. */
const itemProperties = ['itemId', 'fromId']

function placeOfItem(caller: Caller, kind: Kind): Sql | undefined {
  const column = itemProperties.map(each => kind.byProperty.get(each)).find(each => each !== undefined)
  if (kind.entity === 'Ticket') return itemOf(caller, raw('t.id'))
  return column && itemOf(caller, sql`t.${name(column.column)}`)
}

/** The container of an item that the caller sees. */
function itemOf(caller: Caller, id: Sql): Sql {
  const items = kindNamed('Item')
  if (!items) return none
  const i = raw('i')
  return sql`(select i.container_id::text from ${name(items.table)} i where i.tenant_id = ${ownTenant} and i.id = ${id} and ${items.historyVisible(caller, i)})`
}

function asId(text: Sql): Sql {
  return sql`(case when ${text} ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (${text})::uuid end)`
}
