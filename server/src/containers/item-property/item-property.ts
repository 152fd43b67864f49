import { keysOf } from '../../records/references/keys-of.ts'
import { type PropertyFacts, type PropertyUse, itemPropertyTable as table } from './item-property-table.ts'

export { otherColumns, type PropertyFacts } from './item-property-table.ts'

type Table = typeof table
type With<F> = { [P in ItemProperty]: Table[P] extends F ? P : never }[ItemProperty]

/** The name of an item property in JSON. */
export type ItemProperty = keyof Table
/** The properties that allow a use. */
export type UsableFor<U extends PropertyUse> = Exclude<ItemProperty, With<{ except: Readonly<Record<U, string>> }>>
/** The computed properties, which have no column. */
export type DerivedProperty = With<{ derived: string }>
/** The properties with a column. */
type StoredProperty = Exclude<ItemProperty, DerivedProperty>
/** The properties that a request body sets and a column stores. */
export type WrittenProperty = Exclude<StoredProperty, With<{ by: string }> | 'Field'>
/** The properties that only the service sets and a column stores. */
export type ServiceProperty = Extract<StoredProperty, With<{ by: 'service' }>>
/** The kinds of these properties as a union of literals. */
export type KindOf<P extends ItemProperty> = Table[P]['kind']

/** All properties, in display order. */
export const itemProperties = keysOf(table)

export function factsOf(property: ItemProperty): PropertyFacts {
  return table[property]
}

/** The item properties, without those of every record and without custom fields. */
export const ownProperties = itemProperties.filter(each => factsOf(each).by !== 'record' && each !== 'Field')

/** The kind of a property as a literal type. */
export function kindOf<P extends ItemProperty>(property: P): KindOf<P> {
  return table[property].kind
}

/** The column that stores a property. */
export function columnOf(property: StoredProperty): string {
  return table[property].column
}

/** Whether every item has a property of exactly this name. */
export function isItemProperty(name: string): name is ItemProperty {
  return Object.hasOwn(table, name)
}

/** All properties that allow a use. */
export function usableFor<U extends PropertyUse>(use: U): UsableFor<U>[] {
  return itemProperties.filter((each): each is UsableFor<U> => isUsableFor(use, each))
}

/** Whether a name is a property that allows a use. */
export function isUsableFor<U extends PropertyUse>(use: U, name: string): name is UsableFor<U> {
  return isItemProperty(name) && factsOf(name).except?.[use] === undefined
}

/** Whether requesters may set a property, where the request form has it. */
export function isRequestable(name: string): boolean {
  return isItemProperty(name) && factsOf(name).requestable === true
}

/** The properties that only the service sets and a column stores. */
export const serviceProperties = itemProperties.filter((each): each is ServiceProperty => {
  const facts = factsOf(each)
  return facts.by === 'service' && 'column' in facts
})

/** The aliases of a property, in lower case. */
export const otherNames: ReadonlyMap<string, ItemProperty> = new Map(
  itemProperties.flatMap(each => (factsOf(each).names ?? []).map(name => [name, each] as const)),
)

/** All names of a property, in lower case. */
export function namesOf(property: ItemProperty): string[] {
  return [property.toLowerCase(), ...(factsOf(property).names ?? [])]
}

const lists: ReadonlySet<PropertyFacts['kind']> = new Set(['ids', 'users', 'texts', 'json'])

/** Whether items can be sorted by a property: conditions can use it, and it has a single value. */
export function isSortable(name: string): boolean {
  return isUsableFor('condition', name) && !lists.has(factsOf(name).kind)
}
