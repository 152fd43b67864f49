import { ChevronDown, ChevronUp } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { type Column, moved, resized, toggledColumn, widthOf } from '../../items/list/columns.ts'
import type { Property } from '../../kernel/fields/fields.ts'
import { Button } from '../../kit/kit.tsx'
import type { ListState } from './list-state.ts'
import { say } from './messages.ts'

/** What a list shows of each item, and of which items. */
export function Columns({ state }: { state: ListState }) {
  const { criteria, properties, setSearch } = state
  return (
    <>
      <label className="it">
        <input
          type="checkbox"
          checked={criteria.includeClosed}
          onChange={event => setSearch({ closed: event.target.checked || (state.filter ? false : undefined) })}
        />
        {say.showClosed}
      </label>
      <hr />
      <p className="hd">{say.columns}</p>
      <ul>
        {orderOf(state.columns, properties).map(property => (
          <ColumnLine key={property.path} property={property} state={state} />
        ))}
      </ul>
      <p className="hd">{say.columnKeys}</p>
    </>
  )
}

/** The columns that are shown in their order, then the others. */
function orderOf(columns: readonly Column[], properties: ReadonlyMap<string, Property>): Property[] {
  const shown = columns.flatMap(({ path }) => properties.get(path) ?? [])
  return [...shown, ...[...properties.values()].filter(each => !shown.includes(each) && each.type !== 'longText')]
}

function ColumnLine({ property: { path, name, type }, state }: { property: Property; state: ListState }) {
  const { columns, setColumns, properties } = state
  const column = columns.find(each => each.path === path)
  const press = (event: KeyboardEvent) => {
    if (!event.altKey || !column) return
    const width = widthOf(column, properties.get(path))
    const acts: Record<string, () => void> = {
      ArrowUp: () => setColumns(moved(columns, path, -1)),
      ArrowDown: () => setColumns(moved(columns, path, 1)),
      ArrowLeft: () => setColumns(resized(columns, path, width - 0.5)),
      ArrowRight: () => setColumns(resized(columns, path, width + 0.5)),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return (
    <li className="it" data-type={type}>
      <label className="grow hstack">
        <input
          type="checkbox"
          checked={column !== undefined}
          disabled={path === 'title'}
          onChange={() => setColumns(toggledColumn(columns, path))}
          onKeyDown={press}
        />
        <bdi className="cut">{name}</bdi>
      </label>
      {column && (
        <>
          <Turn label={say.columnUp(name)} onClick={() => setColumns(moved(columns, path, -1))}>
            <ChevronUp className="ic" />
          </Turn>
          <Turn label={say.columnDown(name)} onClick={() => setColumns(moved(columns, path, 1))}>
            <ChevronDown className="ic" />
          </Turn>
        </>
      )}
    </li>
  )
}

function Turn({ label, onClick, children }: { label: string; onClick: () => void; children: React.ReactNode }) {
  return (
    <Button look="icon" tabIndex={-1} aria-label={label} onClick={onClick}>
      {children}
    </Button>
  )
}
