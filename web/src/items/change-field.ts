import type { Item, Problem } from '@gantry/sdk'
import { useCallback } from 'react'
import { fieldTypes, type Property } from '../kernel/fields/fields.ts'
import { useHere } from '../kernel/fields/here.ts'
import { changeItem } from './change-item.ts'
import { say } from './messages.ts'

/** Sets one property of an item: painted at once, sent after it. */
export function useChangeField(): (item: Item, property: Property, value: unknown) => Promise<Problem | undefined> {
  const here = useHere()
  return useCallback(
    (item, property, value) => {
      const text = fieldTypes[property.type].print(value, property, here) || say.without(property.name)
      const painted = property.paint?.(value, item)
      return changeItem(item.id, property.write(value), say.set(text, item.key ?? ''), painted)
    },
    [here],
  )
}
