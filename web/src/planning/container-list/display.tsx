import { ChevronDown, ChevronUp, Group, SlidersHorizontal } from 'lucide-react'
import { Popover } from 'radix-ui'
import type { KeyboardEvent } from 'react'
import { type Column, canGroup, moved, resized, toggledColumn, widthOf } from '../../items/list/columns.ts'
import type { Property } from '../../kernel/fields/fields.ts'
import { openEditor } from '../../kernel/fields/open-editor.ts'
import { Button } from '../../kit/kit.tsx'
import type { ListState } from './list-state.ts'
import { say } from './messages.ts'

/** By what the list is grouped, and what it shows of each item. */
export function Display({ state }: { state: ListState }) {
  const { criteria, properties, setSearch } = state
  return (
    <>
      <GroupButton state={state} />
      <Popover.Root>
        <Popover.Trigger asChild>
          <Button look="ghost" title={say.display}>
            <SlidersHorizontal className="ic" /> <span className="wide">{say.display}</span>
          </Button>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content className="menu display" align="end" sideOffset={4} aria-label={say.display}>
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
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </>
  )
}

function GroupButton({ state: { criteria, properties, setGroup } }: { state: ListState }) {
  const groups = [...properties.values()].filter(canGroup)
  const choices = [
    { value: 'none', label: say.noGroup },
    ...groups.map(({ path, name }) => ({ value: path, label: name })),
  ]
  const name = properties.get(criteria.group)?.name ?? say.noGroup
  return (
    <Button
      look="ghost"
      aria-haspopup="dialog"
      aria-label={say.groupBy(name)}
      title={say.groupBy(name)}
      onClick={event =>
        openEditor({
          property: {
            path: 'group',
            name: say.group,
            type: 'choice',
            choices,
            read: () => undefined,
            write: () => ({}),
          },
          value: criteria.group || 'none',
          record: undefined,
          anchor: event.currentTarget,
          save: path => setGroup(String(path)),
        })
      }
    >
      <Group className="ic" /> <span className="wide hide-m">{say.groupBy(name)}</span>
    </Button>
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
