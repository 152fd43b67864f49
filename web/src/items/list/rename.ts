import type { Item } from '@gantry/sdk'
import { useCallback } from 'react'
import { openEditor } from '../../kernel/fields/open-editor.ts'
import { useChangeField } from '../change-field.ts'
import { useItemProperties } from '../properties/properties.tsx'

/** Opens the editor of an item's title over its cell. An item always has a title: an empty one is not taken. */
export function useRename(): (item: Item) => void {
  const property = useItemProperties().get('title')
  const change = useChangeField()
  return useCallback(
    item => {
      const anchor = document.querySelector(`#row-${CSS.escape(item.id)} [data-property="title"]`)
      if (!property || !anchor) return
      const save = (title: unknown) => {
        if (typeof title === 'string' && title.trim() !== '') void change(item, property, title.trim())
      }
      openEditor({ property, value: item.title, record: item, anchor, save })
    },
    [property, change],
  )
}
