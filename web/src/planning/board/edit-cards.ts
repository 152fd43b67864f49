import { useMemo, useRef } from 'react'
import { useChangeField } from '../../items/change-field.ts'
import { heldItem } from '../../items/held-item.ts'
import { say } from '../../items/messages.ts'
import { useItemProperties } from '../../items/properties/properties.tsx'
import { toggleTimer } from '../../items/timer.ts'
import type { Command } from '../../kernel/commands/commands.ts'
import { useOffer } from '../../kernel/commands/keys.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import type { Property } from '../../kernel/fields/field-type.ts'
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

/** Opens the editors of values beside the card; two keys need none. */
export function useCardEditors(): void {
  const properties = useItemProperties()
  const change = useChangeField()
  const { user } = useSession()
  // The commands stay the same while the properties are still being loaded.
  const latest = useRef({ properties, change })
  latest.current = { properties, change }
  const commands = useMemo(() => {
    const edit = (id: string, path: string) => {
      const item = heldItem(id)
      const property = latest.current.properties.get(path)
      const anchor = document.querySelector(`[data-card="${id}"]`)
      if (!item || !property || !anchor) return
      const save = (value: unknown) => setAll(id, property, value)
      openEditor({ property, value: property.read(item), record: item, anchor, save })
    }
    const setAll = (id: string, property: Property, value: unknown) => {
      for (const each of heldTogether(id)) void setValue(each, property, value)
    }
    const setValue = async (id: string, property: Property, value: unknown) => {
      const item = heldItem(id)
      const problem = item && (await latest.current.change(item, property, value))
      if (problem) refuseCards([id], refusalText(problem))
    }
    const assignMe = (id: string) => {
      const property = latest.current.properties.get('assignees')
      if (property) setAll(id, property, [user.id])
    }
    const time = (id: string) => void toggleTimer(id)
    const command = (name: string, title: string, keys: string, act: (id: string) => void): Command => {
      return { id: `board.${name}`, title, keys, where: 'board', run: onCurrent(act) }
    }
    return [
      ...editors().map(({ path, title, keys }) => command(`edit.${path}`, title, keys, id => edit(id, path))),
      command('me', say.assignMe, 'i', assignMe),
      command('timer', say.timer, 't', time),
    ]
  }, [user.id])
  useOffer(commands)
}
