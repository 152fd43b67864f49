import { tickets } from '../../desk/ticket/ticket.ts'
import { items } from '../../items/item/item.ts'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'

type Row = Readonly<Record<string, unknown>>

/** An item at some point of its history: its row, its ticket row, and the default process and the customer of its container. */
export interface ItemSnapshot {
  item: Row
  ticket: Row
  processId: Id | ''
  containerCrmId: Id | ''
}

/** Whether the item was deleted or merged into another. */
export const isGone = ({ item }: ItemSnapshot) => item.deleted === true || (item.merged_into ?? null) !== null

/** The process of the item, or the default one of its container. */
export const processIdOf = ({ item, processId }: ItemSnapshot) => String(item.process_id ?? processId)

/** The custom values of the item, by the ids of their fields. */
export function customValues({ item }: ItemSnapshot): Row {
  const { fields } = item
  return fields !== null && typeof fields === 'object' ? { ...fields } : {}
}

/** The snapshot before an event; the same object if the event changed nothing that is in it. */
export function snapshotBefore(after: ItemSnapshot, entity: string, changes: Changes): ItemSnapshot {
  if (entity !== 'Item') {
    const ticket = undone(tickets.byProperty, after.ticket, changes)
    return ticket === after.ticket ? after : { ...after, ticket }
  }
  const item = undone(items.byProperty, after.item, changes)
  const custom = Object.entries(changes).filter(([property]) => property.startsWith(customPrefix))
  if (custom.length === 0) return item === after.item ? after : { ...after, item }
  const fields: Record<string, unknown> = { ...customValues(after) }
  for (const [property, { from }] of custom) {
    const fieldId = property.slice(customPrefix.length)
    if (from === null || from === undefined) delete fields[fieldId]
    else fields[fieldId] = from
  }
  return { ...after, item: { ...item, fields } }
}

const customPrefix = 'Field.'

interface Column {
  column: string
  type: string
}

/** A row with its columns as they were before a change. A creation has no values from before, and so changes nothing. */
function undone(byProperty: { get(property: string): Column | undefined }, row: Row, changes: Changes): Row {
  let before = row
  for (const [property, change] of Object.entries(changes)) {
    const column = property === 'deleted' ? { column: 'deleted', type: 'boolean' } : byProperty.get(property)
    if (!column || !('from' in change)) continue
    before = { ...before, [column.column]: column.type === 'uuid' && change.from === '' ? null : change.from }
  }
  return before
}
