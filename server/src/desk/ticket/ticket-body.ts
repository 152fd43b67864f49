import {
  type ItemInput,
  createSchema as itemCreateSchema,
  updateSchema as itemUpdateSchema,
  readItem,
} from '../../items/item-body/item-body.ts'
import type { ReadOptions, Schema } from '../../kernel/schema/shape.ts'
import { readBoth } from '../../records/input/read-both.ts'
import { type Facet, tickets } from './ticket.ts'

/** A request body, separated into the item and the facet. */
export interface ReadTicket {
  item: ItemInput
  facet: Partial<Facet>
}

const ofDesk = new Set(tickets.columns.map(({ property }) => property.toLowerCase()))

/** Reads a ticket’s body and reports the faults of both parts at once. */
export function readTicketBody(body: unknown, fresh: boolean, options?: ReadOptions): ReadTicket {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    return { item: readItem(body, fresh, options), facet: {} }
  const parts = Object.groupBy(Object.entries(body), ([key]) => (ofDesk.has(key.toLowerCase()) ? 'facet' : 'item'))
  const [item, facet] = readBoth(
    () => readItem(Object.fromEntries(parts.item ?? []), fresh, options),
    () => (fresh ? tickets.readCreate : tickets.readUpdate)(Object.fromEntries(parts.facet ?? [])),
  )
  return { item, facet }
}

function combined(item: Schema, facet: Schema): Schema {
  return { ...item, properties: { ...item.properties, ...facet.properties } }
}

export const createSchema = combined(itemCreateSchema, tickets.createSchema)
export const updateSchema = combined(itemUpdateSchema, tickets.updateSchema)
