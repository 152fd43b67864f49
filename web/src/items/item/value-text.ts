import type { Item } from '@gantry/sdk'
import { fieldTypes, type Property } from '../../kernel/fields/fields.ts'
import { useHere } from '../../kernel/fields/here.ts'
import { type ItemProperties, useItemProperties } from '../properties/properties.tsx'
import { say } from './messages.ts'

/** The names and values of properties as people read them, wherever a change is told. */
export function useValueText() {
  const properties = useItemProperties()
  const here = useHere()
  return {
    nameOf: (name: string): string => described(properties, name)?.name ?? name,
    text: (name: string, value: unknown): string => {
      const property = described(properties, name)
      const printed = property ? fieldTypes[property.type].print(value, property, here) : String(value ?? '')
      return printed || say.empty
    },
  }
}

/** A property by the name that the log has for it: `dueDate`, `Tags`, `Field.0190…`. */
export function described(properties: ItemProperties, name: string): Property | undefined {
  if (name === 'Tags') return properties.get('tags')
  if (!name.startsWith('Field.')) return properties.get(name)
  const id = name.slice('Field.'.length)
  return [...properties.values()].find(property => 'fieldId' in property && property.fieldId === id)
}

/** The patch that gives a property a value; undefined if it cannot be written. */
export function patchOf(properties: ItemProperties, name: string, value: unknown): Partial<Item> | undefined {
  const property = described(properties, name)
  return property && !property.readOnly && name !== 'containerId' ? property.write(value ?? null) : undefined
}
