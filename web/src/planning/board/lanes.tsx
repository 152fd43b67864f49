import type { Item } from '@gantry/sdk'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo, useEffect, useMemo, useRef } from 'react'
import { number } from '../../kernel/messages/messages.ts'
import { say } from '../messages.ts'
import { AddCard } from './add-card.tsx'
import { Card } from './card.tsx'
import { heightOf, measureSlot } from './card-heights.ts'
import { useRefusal } from './column.tsx'
import { ColumnHead, Refusal } from './column-head.tsx'
import { useDragging, usePlaceForCards } from './drag-cards.ts'
import { type LaneRow, laneRows } from './lane-rows.ts'
import { offerScroll } from './scroll-to-card.ts'
import { type BoardState, type ColumnState, otherColumn } from './state/board-state.ts'
import { toggleLane, useBoard } from './state/board-store.ts'

const gap = 6
const headHeight = 40

/** A board with lanes: one window over all of them, whose rows are heads of lanes and cards side by side. */
export function Lanes({ board, onOpen }: { board: BoardState; onOpen: (item: Item) => void }) {
  const folded = useBoard(state => state.foldedLanes)
  const foldedColumns = useBoard(state => state.foldedColumns)
  const columns = board.columns.filter(({ id, count }) => !foldedColumns.has(id) && (id !== otherColumn || count > 0))
  const rows = useMemo(() => laneRows(board, columns, folded), [board, columns, folded])
  const scroller = useRef<HTMLDivElement>(null)
  useDragging(scroller)
  const window = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: at => estimate(rows[at]),
    getItemKey: at => rows[at]?.key ?? at,
    measureElement: measureSlot,
    gap,
    overscan: 1,
    scrollPaddingStart: headHeight,
    useFlushSync: false,
  })
  useEffect(() => {
    const ends = board.columns.map(({ id }) =>
      offerScroll(id, card => {
        const at = rows.findIndex(row => row.kind === 'cards' && row.ids.includes(card))
        if (at >= 0) window.scrollToIndex(at)
      }),
    )
    return () => {
      for (const end of ends) end()
    }
  }, [board.columns, rows, window])
  return (
    <div className="lanes" ref={scroller} role="group" aria-label={say.board}>
      <div className="lane-cols lane-heads">
        {columns.map(column => (
          <LaneColumnHead key={column.id} column={column} />
        ))}
      </div>
      <div
        className="stack-inner"
        ref={element => {
          if (element) element.style.height = `${window.getTotalSize()}px`
        }}
      >
        {window.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index]
          return (
            <div
              key={key}
              className="slot"
              data-index={index}
              ref={element => {
                if (!element) return
                element.style.transform = `translateY(${start}px)`
                window.measureElement(element)
              }}
            >
              {row && <Row row={row} columns={columns} onOpen={onOpen} />}
            </div>
          )
        })}
      </div>
    </div>
  )
}

const estimate = (row: LaneRow | undefined) =>
  row?.kind === 'cards' ? Math.max(...row.ids.map(id => (id ? heightOf(id) : 0))) : headHeight

function LaneColumnHead({ column }: { column: ColumnState }) {
  const refusal = useRefusal(column.id)
  return (
    <div className={`col ${refusal ? 'is-no' : ''}`}>
      <ColumnHead column={column} />
      {refusal && <Refusal text={refusal} />}
    </div>
  )
}

const Row = memo(function Row({
  row,
  columns,
  onOpen,
}: {
  row: LaneRow
  columns: readonly ColumnState[]
  onOpen: (item: Item) => void
}) {
  if (row.kind === 'head') return <LaneHead row={row} />
  return (
    <div className="lane-cols">
      {columns.map(({ id }, at) => (
        <Cell
          key={id}
          column={id}
          lane={row.lane}
          id={row.kind === 'cards' ? row.ids[at] : undefined}
          isFoot={row.kind === 'foot'}
          onOpen={onOpen}
        />
      ))}
    </div>
  )
})

function LaneHead({ row }: { row: Extract<LaneRow, { kind: 'head' }> }) {
  const name = row.name || say.none
  return (
    <button
      type="button"
      className="lane-h"
      aria-expanded={!row.folded}
      aria-label={row.folded ? say.unfold(name) : say.fold(name)}
      onClick={() => toggleLane(row.lane)}
    >
      {row.folded ? <ChevronRight className="ic" /> : <ChevronDown className="ic" />}
      <bdi>{name}</bdi>
      <span className="count">{number(row.count)}</span>
    </button>
  )
}

interface CellProps {
  column: string
  lane: string
  id: string | undefined
  isFoot: boolean
  onOpen: (item: Item) => void
}

function Cell({ column, lane, id, isFoot, onOpen }: CellProps) {
  const element = useRef<HTMLDivElement>(null)
  const isOver = useBoard(({ spot }) => spot?.column === column && spot.lane === lane)
  const isRefusing = useRefusal(column) !== undefined
  usePlaceForCards(element, { column, lane })
  return (
    <div ref={element} className={`cell ${isOver ? 'is-target' : ''} ${isRefusing ? 'is-no' : ''}`}>
      {id && <Card id={id} column={column} lane={lane} onOpen={onOpen} />}
      {isFoot && <AddCard column={column} lane={lane} />}
    </div>
  )
}
