import { ArrowDown, ArrowUp } from 'lucide-react'
import type { PointerEvent } from 'react'
import type { Property } from '../../kernel/fields/fields.ts'
import { say } from '../messages.ts'
import { type Column, canSort, isAtEnd, resized, widthOf } from './columns.ts'

interface HeadProps {
  columns: readonly Column[]
  properties: ReadonlyMap<string, Property>
  /** As the service sorts: `-dueDate`. */
  sort: string
  onSort: (sort: string) => void
  onColumns: (columns: readonly Column[]) => void
}

/** The names of columns sort by them; their ends make them wider. */
export function ListHead({ columns, properties, sort, onSort, onColumns }: HeadProps) {
  return (
    <div className="row row-head lrow" role="row" tabIndex={-1}>
      <span className="c-box" role="columnheader" tabIndex={-1} aria-label={say.select} />
      {columns.map(column => {
        const property = properties.get(column.path)
        if (!property) return <span key={column.path} role="columnheader" tabIndex={-1} />
        const isTight = widthOf(column, property) < 1.5
        const by = sort === column.path ? 'ascending' : sort === `-${column.path}` ? 'descending' : 'none'
        const next = { none: column.path, ascending: `-${column.path}`, descending: 'rank' }[by]
        const Arrow = by === 'ascending' ? ArrowUp : ArrowDown
        return (
          <span
            key={column.path}
            role="columnheader"
            tabIndex={-1}
            aria-sort={by}
            className={`head ${isAtEnd(property) ? 'r' : ''} ${column.path === 'title' ? 'c-title' : ''}`}
          >
            <button
              type="button"
              disabled={!canSort(property)}
              aria-label={say.sortBy(property.name)}
              title={property.name}
              onClick={() => onSort(next)}
            >
              {!isTight && <bdi className="cut">{property.name}</bdi>}
              {by !== 'none' && <Arrow className="ic" />}
            </button>
            {column.path !== 'title' && (
              <span
                className="head-edge"
                aria-hidden="true"
                onPointerDown={event =>
                  resize(event, widthOf(column, property), width => onColumns(resized(columns, column.path, width)))
                }
              />
            )}
          </span>
        )
      })}
    </div>
  )
}

/** Columns can also be made wider by keys, in the menu of what is shown. */
function resize(event: PointerEvent<HTMLElement>, width: number, onWidth: (width: number) => void): void {
  const edge = event.currentTarget
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const from = event.clientX
  edge.setPointerCapture(event.pointerId)
  const drag = ({ clientX }: globalThis.PointerEvent) => onWidth(width + (clientX - from) / rem)
  edge.addEventListener('pointermove', drag)
  edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', drag), { once: true })
}
