import { Ban, ChevronsLeftRight, Plus } from 'lucide-react'
import { useItemProperties } from '../../items/properties/properties.tsx'
import { durationText } from '../../kernel/dates/durations.ts'
import { number } from '../../kernel/messages/messages.ts'
import { say } from '../messages.ts'
import { type ColumnState, limitUnits, otherColumn } from './state/board-state.ts'
import { toggleColumn, useBoard } from './state/board-store.ts'

export function ColumnHead({ column }: { column: ColumnState }) {
  const { id, count, wip = 0, sum, over, minutes, wipMode } = column
  const name = nameOf(column)
  const hours = wipMode === limitUnits.minutes
  const figure = (value: number) => (hours ? durationText(value) : number(value))
  return (
    <h2 className="col-h">
      <ColumnIcon column={column} />
      <bdi className="cut">{name}</bdi>
      <span className={over ? 'badge badge-warn num' : 'count'}>
        {wip > 0 ? `${figure(sum)}/${figure(wip)}` : number(count)}
      </span>
      {minutes > 0 && !hours && <span className="sum">{durationText(Math.round(minutes / 60) * 60 || minutes)}</span>}
      <span className="col-acts">
        {id !== otherColumn && (
          <button
            type="button"
            className="btn btn-ghost btn-icon"
            aria-label={say.addHere}
            onClick={() => useBoard.setState({ adding: { column: id } })}
          >
            <Plus className="ic" />
          </button>
        )}
        <button
          type="button"
          className="btn btn-ghost btn-icon fold"
          aria-label={say.fold(name)}
          aria-expanded="true"
          onClick={() => toggleColumn(id)}
        >
          <ChevronsLeftRight className="ic" />
        </button>
      </span>
    </h2>
  )
}

/** The names of columns are those of the board; the one for all other values has none of its own. */
export const nameOf = ({ id, name }: Pick<ColumnState, 'id' | 'name'>): string =>
  id === otherColumn ? say.other : name

export function FoldedColumn({ column }: { column: ColumnState }) {
  const name = nameOf(column)
  return (
    <section className="col is-shut" aria-label={name}>
      <button
        type="button"
        className="shut"
        aria-label={say.unfold(name)}
        aria-expanded="false"
        onClick={() => toggleColumn(column.id)}
      >
        <ColumnIcon column={column} />
        <bdi className="v">{name}</bdi>
        <span className="count">{number(column.count)}</span>
      </button>
    </section>
  )
}

const properties: Record<string, string> = { assignee: 'assignees' }

/** The sign of the value that a column stands for: the shape of a status, the bars of a priority, a person. */
export function ColumnIcon({ column: { values } }: { column: ColumnState }) {
  const field = useBoard(state => state.board?.columnField ?? '')
  const choices = useItemProperties().get(properties[field] ?? field)?.choices
  return choices?.find(({ value }) => String(value) === values[0])?.icon ?? null
}

/** Why the column does not take what is in hand. */
export function Refusal({ text }: { text: string }) {
  return (
    <p className="no">
      <Ban className="ic" />
      <span>{text}</span>
    </p>
  )
}
