import type { Authority, Caller } from '../../kernel/access.ts'
import type {} from './field-limit.ts'

/** The kinds of records that contain values of items. */
export const hidingKinds = ['Item', 'Ticket'] as const
const entities = new Set<string>(hidingKinds)

export const hidesAnyField = ({ authority }: Caller) =>
  authority.hiddenFields.size > 0 || authority.fieldLimits.some(each => each.hides)

/** Tells whether this property, or this custom field by its key or id, is hidden from the caller on every item. */
export function hides({ authority }: Caller, entity: string, property: string): boolean {
  return authority.hiddenFields.size > 0 && entities.has(entity) && authority.hiddenFields.has(property.toLowerCase())
}

/** Tells the same for some item at least. The values of such a field must not decide what a list contains. */
export function hidesSomewhere(caller: Caller, entity: string, property: string): boolean {
  return entities.has(entity) && hidesAnyField(caller) && hiddenAnywhere(caller).has(property.toLowerCase())
}

const anywhere = new WeakMap<Authority, ReadonlySet<string>>()

/** The names of the fields that are hidden on some item: custom fields by id and by key, properties in lower case. */
export function hiddenAnywhere({ authority }: Caller): ReadonlySet<string> {
  const known = anywhere.get(authority) ?? hiddenUnder(authority, authority.fieldLimits)
  anywhere.set(authority, known)
  return known
}

/** The same without those that are hidden only in a relation to the item, such as from its requester. */
export function hiddenInProcesses({ authority }: Caller): ReadonlySet<string> {
  return hiddenUnder(
    authority,
    authority.fieldLimits.filter(each => each.always),
  )
}

/** The names of the fields that are hidden from the caller where these limits bind. */
export function hiddenUnder({ hiddenFields }: Authority, limits: Authority['fieldLimits']): ReadonlySet<string> {
  const hiding = limits.filter(each => each.hides)
  return hiding.length === 0 ? hiddenFields : new Set([...hiddenFields, ...hiding.flatMap(({ names }) => [...names])])
}
