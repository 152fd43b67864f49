import type { Caller } from '../kernel/access.ts'

/** The kinds of records that contain values of items. */
const entities = new Set(['Item', 'Ticket'])

export const hidesAnyField = ({ authority }: Caller) => authority.hiddenFields.size > 0

/** Tells whether this property, or this custom field by its key or id, is hidden from the caller. */
export function hides({ authority }: Caller, entity: string, property: string): boolean {
  return authority.hiddenFields.size > 0 && entities.has(entity) && authority.hiddenFields.has(property.toLowerCase())
}

/** The names of the fields that are hidden from the caller: custom fields by id and by key, properties in lower case. */
export function hiddenAnywhere({ authority }: Caller): ReadonlySet<string> {
  return authority.hiddenFields
}
