import type { Item } from '@gantry/sdk'
import { Check } from 'lucide-react'
import { type MouseEvent, memo } from 'react'
import { useRecord } from '../../kernel/data/records/store.ts'
import { clockPath } from '../clock-badge.tsx'
import { focus, selectTo, toggle, useFocus } from '../focus.ts'
import { ItemField } from '../item-field.tsx'
import { say } from '../messages.ts'
import { useItemProperties } from '../properties/properties.tsx'
import { SubItems } from '../sub-items.tsx'
import { type Column, isAtEnd } from './columns.ts'
import { useRename } from './rename.ts'

interface RowProps {
  id: string
  columns: readonly Column[]
  index: number
  top: number
  /** The ids of the list, for a range of rows. */
  ids: () => readonly string[]
  onOpen: (item: Item) => void
  measure?: ((element: Element | null) => void) | undefined
}

/** Classes that give the usual columns their places on narrow pages. */
const places: Readonly<Record<string, string>> = {
  priority: 'c-prio',
  key: 'key c-key',
  status: 'c-st',
  [clockPath]: 'c-clock flush',
  assignees: 'c-who',
  dueDate: 'c-due',
  estimateMinutes: 'c-est',
}

/** An item in a list. Only the two rows that a key concerns are rendered again. */
export const ListRow = memo(function ListRow({ id, columns, index, top, ids, onOpen, measure }: RowProps) {
  const item = useRecord<Item>('Item', id)
  const isCurrent = useFocus(state => state.current === id)
  const isSelected = useFocus(state => state.selected.has(id))
  if (!item) return <div className="row lrow" role="row" tabIndex={-1} ref={place(top, undefined)} />
  const click = (event: MouseEvent) => {
    if (event.shiftKey) selectTo(ids(), id)
    else if (event.ctrlKey || event.metaKey) toggle(id)
    else {
      focus(id)
      onOpen(item)
    }
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of a list are commands
    <div
      role="row"
      id={`row-${id}`}
      tabIndex={-1}
      data-index={index}
      aria-rowindex={index + 1}
      className={`row lrow ${isSelected ? 'is-picked' : ''} ${isCurrent ? 'is-focus-in' : ''}`}
      aria-selected={isSelected}
      ref={place(top, measure)}
      onMouseDown={event => event.shiftKey && event.preventDefault()}
      onClick={click}
    >
      <span role="gridcell" tabIndex={-1} className="c-box">
        <button
          type="button"
          role="checkbox"
          tabIndex={-1}
          aria-checked={isSelected}
          aria-label={`${say.select} ${item.key ?? ''}`}
          className={`box ${isSelected ? 'is-on' : ''}`}
          onMouseDown={event => event.preventDefault()}
          onClick={event => {
            event.stopPropagation()
            if (event.shiftKey) selectTo(ids(), id)
            else toggle(id)
          }}
        >
          {isSelected && <Check className="ic" />}
        </button>
      </span>
      {columns.map(({ path }) => (
        <Cell key={path} item={item} path={path} />
      ))}
    </div>
  )
})

function Cell({ item, path }: { item: Item; path: string }) {
  const property = useItemProperties().get(path)
  if (path === 'title') return <Title item={item} />
  return (
    <span
      role="gridcell"
      tabIndex={-1}
      className={`${places[path] ?? 'wide'} ${property && isAtEnd(property) ? 'r' : ''}`}
    >
      {path === 'key' ? item.key : <ItemField item={item} path={path} />}
    </span>
  )
}

/** A click opens the item, as everywhere in the row; a double click edits the title. */
function Title({ item }: { item: Item }) {
  const rename = useRename()
  const { title, Tags } = item
  return (
    <span
      role="gridcell"
      tabIndex={-1}
      className="title c-title"
      data-property="title"
      onDoubleClick={() => rename(item)}
    >
      <bdi className="cut tt">{title}</bdi>
      <SubItems item={item} />
      <Labels names={Tags ?? []} />
    </span>
  )
}

/** So many letters of labels leave room for the title. */
const lettersOfLabels = 24

/** As many labels as have room, at least one, and the number of the others. */
function Labels({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  let letters = 0
  const shown = names.filter((name, at) => {
    letters += [...name].length
    return at === 0 || letters <= lettersOfLabels
  })
  return (
    <span className="tag tags" title={names.map(name => `#${name}`).join(' ')}>
      {shown.map(name => (
        <bdi key={name}>#{name} </bdi>
      ))}
      {names.length > shown.length && `+${names.length - shown.length}`}
    </span>
  )
}

/** Styles in attributes are refused by the content policy. */
const place = (top: number, measure: RowProps['measure']) => (element: HTMLElement | null) => {
  if (!element) return
  element.style.transform = `translateY(${top}px)`
  measure?.(element)
}
