import type { Board } from '@gantry/sdk'
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { Button } from '../../kit/kit.tsx'
import { limitPolicies } from '../board/state/board-state.ts'
import { say } from '../messages.ts'

type Columns = Board['columns']
type Column = Columns[number]

/** The order of the columns, their names and their limits. */
export function ColumnSettings({ columns, onChange }: { columns: Columns; onChange: (columns: Columns) => void }) {
  const set = (at: number, values: Partial<Column>) =>
    onChange(columns.map((column, each) => (each === at ? { ...column, ...values } : column)))
  const swap = (at: number, by: number) => {
    const next = [...columns]
    const [moved] = next.splice(at, 1)
    if (moved) onChange(next.toSpliced(at + by, 0, moved))
  }
  return (
    <fieldset className="field-set">
      <legend>{say.columns}</legend>
      {columns.map((column, at) => (
        <ColumnLine
          key={column.id}
          column={column}
          isFirst={at === 0}
          isLast={at === columns.length - 1}
          onSet={values => set(at, values)}
          onMove={by => swap(at, by)}
          onRemove={() => onChange(columns.toSpliced(at, 1))}
        />
      ))}
      <p className="meta">{say.limitHint}</p>
    </fieldset>
  )
}

interface LineProps {
  column: Column
  isFirst: boolean
  isLast: boolean
  onSet: (values: Partial<Column>) => void
  onMove: (by: number) => void
  onRemove: () => void
}

function ColumnLine({ column, isFirst, isLast, onSet, onMove, onRemove }: LineProps) {
  const name = column.name ?? ''
  return (
    <div className="column-line">
      <input
        className="input"
        aria-label={say.name}
        value={name}
        onChange={event => onSet({ name: event.target.value })}
      />
      <input
        className="input limit-input"
        type="number"
        min={0}
        aria-label={say.limitOf(name)}
        value={column.wip ?? 0}
        onChange={event => onSet({ wip: Math.max(0, Math.trunc(event.target.valueAsNumber || 0)) })}
      />
      <label className="hstack">
        <input
          type="checkbox"
          checked={column.wipPolicy === limitPolicies.block}
          onChange={event => onSet({ wipPolicy: event.target.checked ? limitPolicies.block : limitPolicies.warn })}
        />
        {say.strict}
      </label>
      <Button look="icon" aria-label={say.columnUp(name)} disabled={isFirst} onClick={() => onMove(-1)}>
        <ArrowUp className="ic" />
      </Button>
      <Button look="icon" aria-label={say.columnDown(name)} disabled={isLast} onClick={() => onMove(1)}>
        <ArrowDown className="ic" />
      </Button>
      <Button look="icon" aria-label={say.removeNamed(name)} onClick={onRemove}>
        <Trash2 className="ic" />
      </Button>
    </div>
  )
}
