import { type PropertyFacts, type PropertyUse, itemPropertyTable as table } from './item-property-table.ts'

export { otherColumns, type PropertyFacts, type PropertyUse } from './item-property-table.ts'

type Table = typeof table
type With<F> = { [P in ItemProperty]: Table[P] extends F ? P : never }[ItemProperty]

/** A property of an item, by the name that it has in JSON. */
export type ItemProperty = keyof Table
/** The properties that can be used so. */
export type UsableFor<U extends PropertyUse> = Exclude<ItemProperty, With<{ except: Readonly<Record<U, string>> }>>
/** The properties that are worked out: they have no column. */
export type DerivedProperty = With<{ derived: string }>
/** The properties with a column of their own. */
type StoredProperty = Exclude<ItemProperty, DerivedProperty>
/** The properties that a body says and a column keeps. */
export type WrittenProperty = Exclude<StoredProperty, With<{ by: string }> | 'Field'>
/** The properties that the service alone sets, and a column keeps. */
export type ServiceProperty = Extract<StoredProperty, With<{ by: 'service' }>>
/** What the values of these properties are. */
export type KindOf<P extends ItemProperty> = Table[P]['kind']

/** All properties, in the order in which people read them. */
export const itemProperties = Object.keys(table) as ItemProperty[]

export function factsOf(property: ItemProperty): PropertyFacts {
  return table[property]
}

/** What an item has besides what every record has, and besides its custom fields. */
export const ownProperties = itemProperties.filter(each => factsOf(each).by !== 'record' && each !== 'Field')

/** What the values of a property are, as precisely as the table says it. */
export function kindOf<P extends ItemProperty>(property: P): KindOf<P> {
  return table[property].kind
}

/** The column that keeps a property. */
export function columnOf(property: StoredProperty): string {
  return table[property].column
}

/** Whether every item has a property of exactly this name. */
export function isItemProperty(name: string): name is ItemProperty {
  return Object.hasOwn(table, name)
}

/** All properties that can be used so. */
export function usableFor<U extends PropertyUse>(use: U): UsableFor<U>[] {
  return itemProperties.filter((each): each is UsableFor<U> => isUsableFor(use, each))
}

/** Whether a name is that of a property that can be used so. */
export function isUsableFor<U extends PropertyUse>(use: U, name: string): name is UsableFor<U> {
  return isItemProperty(name) && factsOf(name).except?.[use] === undefined
}

/** The properties that the service alone sets, and a column keeps. */
export const serviceProperties = itemProperties.filter((each): each is ServiceProperty => {
  const facts = factsOf(each)
  return facts.by === 'service' && 'column' in facts
})

/** What people call a property, in lower case, where it is not its own name. */
export const otherNames: ReadonlyMap<string, ItemProperty> = new Map(
  itemProperties.flatMap(each => (factsOf(each).names ?? []).map(name => [name, each] as const)),
)

/** All names of a property, in lower case. */
export function namesOf(property: ItemProperty): string[] {
  return [property.toLowerCase(), ...(factsOf(property).names ?? [])]
}

const lists: ReadonlySet<PropertyFacts['kind']> = new Set(['ids', 'users', 'texts', 'json'])

/** Whether items can be sorted by a property: it can be asked for, and has one value. */
export function isSortable(name: string): boolean {
  return isUsableFor('condition', name) && !lists.has(factsOf(name).kind)
}
