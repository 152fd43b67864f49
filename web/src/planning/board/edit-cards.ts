import { useMemo, useRef } from 'react'
import { useChangeField } from '../../items/change-field.ts'
import { heldItem } from '../../items/held-item.ts'
import { say } from '../../items/messages.ts'
import { useItemProperties } from '../../items/properties/properties.tsx'
import type { Command } from '../../kernel/commands/commands.ts'
import { useOffer } from '../../kernel/commands/keys.ts'
import { openEditor } from '../../kernel/fields/open-editor.ts'
import { onCurrent } from './board-keys.ts'
import { refuseCards } from './state/board-store.ts'
import { heldTogether } from './state/hold-cards.ts'
import { refusalText } from './state/refusals.ts'

/** The keys that edit a property of the current card, and of those that are selected with it. L goes to the column on the right. */
const editors = (): { path: string; title: string; keys: string }[] => [
  { path: 'status', title: say.status, keys: 's' },
  { path: 'assignees', title: say.who, keys: 'a' },
  { path: 'priority', title: say.priority, keys: 'p' },
  { path: 'tags', title: say.labels, keys: 'Shift+t' },
  { path: 'dueDate', title: say.due, keys: 'd' },
  { path: 'estimateMinutes', title: say.estimate, keys: 'e' },
]

/** Opens the editors of values beside the card. */
export function useCardEditors(): void {
  const properties = useItemProperties()
  const change = useChangeField()
  // The commands stay the same while the properties are still being loaded.
  const latest = useRef({ properties, change })
  latest.current = { properties, change }
  const commands = useMemo(() => {
    const edit = (id: string, path: string) => {
      const item = heldItem(id)
      const property = latest.current.properties.get(path)
      const anchor = document.querySelector(`[data-card="${id}"]`)
      if (!item || !property || !anchor) return
      const save = (value: unknown) => {
        for (const each of heldTogether(id)) setValue(each, value)
      }
      const setValue = async (each: string, value: unknown) => {
        const its = heldItem(each)
        const problem = its && (await latest.current.change(its, property, value))
        if (problem) refuseCards([each], refusalText(problem))
      }
      openEditor({ property, value: property.read(item), record: item, anchor, save })
    }
    return editors().map(({ path, title, keys }): Command => {
      return { id: `board.edit.${path}`, title, keys, where: 'board', run: onCurrent(id => edit(id, path)) }
    })
  }, [])
  useOffer(commands)
}
