import type { Item } from '@gantry/sdk'
import { FieldValue } from '../kernel/fields/field-value.tsx'
import type { Look } from '../kernel/fields/fields.ts'
import { useChangeField } from './change-field.ts'
import { useItemProperties } from './properties/properties.tsx'

interface ItemFieldProps {
  item: Item
  /** The path of the property: `status`, `dueDate`, `field.site`. */
  path: string
  look?: Look
  className?: string
}

/** A value of an item, edited in its place. */
export function ItemField({ item, path, look = 'cell', className = '' }: ItemFieldProps) {
  const property = useItemProperties().get(path)
  const change = useChangeField()
  if (!property) return null
  return (
    <FieldValue
      property={property}
      record={item}
      look={look}
      className={className}
      onChange={value => change(item, property, value)}
    />
  )
}
