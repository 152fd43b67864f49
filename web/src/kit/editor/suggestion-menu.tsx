import type { Editor } from '@tiptap/core'
import type { SuggestionKeyDownProps, SuggestionProps } from '@tiptap/suggestion'
import { useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

/** Something that the editor offers while somebody types: a person, a block. */
export interface Suggested {
  id: string
  text: string
  label?: string
  apply?: (editor: Editor) => void
}

interface Menu {
  items: readonly Suggested[]
  at: number
  place: DOMRect | null
  pick: (item: Suggested) => void
}

/** The menu under the caret: `menu` is shown, `render` is given to the editor. */
export function useSuggestions() {
  const [menu, setMenu] = useState<Menu>()
  const current = useRef<Menu>(undefined)
  const show = (next: Menu | undefined) => {
    current.current = next
    setMenu(next)
  }
  const showRef = useRef(show)
  showRef.current = show
  const render = useMemo(
    () => () => {
      const open = ({ items, command, clientRect }: SuggestionProps<Suggested>) =>
        showRef.current({ items, at: 0, place: clientRect?.() ?? null, pick: command })
      return {
        onStart: open,
        onUpdate: open,
        onExit: () => showRef.current(undefined),
        onKeyDown: ({ event }: SuggestionKeyDownProps) => {
          const now = current.current
          if (!now || now.items.length === 0) return false
          if (event.key === 'Escape') {
            event.stopPropagation()
            showRef.current(undefined)
            return true
          }
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            const step = event.key === 'ArrowDown' ? 1 : -1
            showRef.current({ ...now, at: (now.at + step + now.items.length) % now.items.length })
            return true
          }
          const chosen = now.items[now.at]
          if ((event.key !== 'Enter' && event.key !== 'Tab') || !chosen) return false
          now.pick(chosen)
          return true
        },
      }
    },
    [],
  )
  return { menu, render, isOpen: () => (current.current?.items.length ?? 0) > 0 }
}

export function SuggestionMenu({ menu }: { menu: Menu | undefined }) {
  if (!menu || menu.items.length === 0) return null
  return createPortal(
    <div
      className="menu suggestions"
      role="listbox"
      ref={element => {
        if (!element || !menu.place) return
        const below = menu.place.bottom + element.offsetHeight + 8 < innerHeight
        element.style.left = `${Math.max(8, Math.min(menu.place.left, innerWidth - element.offsetWidth - 8))}px`
        element.style.top = `${below ? menu.place.bottom + 4 : Math.max(8, menu.place.top - element.offsetHeight - 4)}px`
      }}
    >
      {menu.items.map((item, at) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text, which handles the keys
        // biome-ignore lint/a11y/useKeyWithClickEvents: as above
        <div
          key={item.id}
          role="option"
          aria-selected={at === menu.at}
          className={`it ${at === menu.at ? 'is-on' : ''}`}
          onMouseDown={event => event.preventDefault()}
          onClick={() => menu.pick(item)}
        >
          <bdi>{item.text}</bdi>
        </div>
      ))}
    </div>,
    document.body,
  )
}
