import type { Item } from '@gantry/sdk'
import { useVirtualizer } from '@tanstack/react-virtual'
import { TriangleAlert } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { heldItem } from '../../items/held-item.ts'
import { AddCard } from './add-card.tsx'
import { Card } from './card.tsx'
import { heightOf, measureOnce, measureSlot } from './card-heights.ts'
import { ColumnHead, FoldedColumn, Refusal } from './column-head.tsx'
import { usePlaceForCards } from './drag-cards.ts'
import { offerScroll } from './scroll-to-card.ts'
import type { ColumnState } from './state/board-state.ts'
import { useBoard } from './state/board-store.ts'
import { loadMore } from './state/load-cards.ts'
import { limitText, whyNot } from './state/refusals.ts'

interface ColumnProps {
  id: string
  onOpen: (item: Item) => void
}

/** A column: only the cards in its window exist, and pages are loaded as they are scrolled to. */
export const Column = memo(function Column({ id, onOpen }: ColumnProps) {
  const column = useColumn(id)
  const refusal = useRefusal(id)
  const isOver = useBoard(({ spot }) => spot?.column === id)
  const isFolded = useBoard(({ foldedColumns }) => foldedColumns.has(id))
  if (!column) return null
  if (isFolded) return <FoldedColumn column={column} />
  const limit = limitText(column)
  return (
    <section className={`col ${isOver ? 'is-target' : ''} ${refusal ? 'is-no' : ''}`} aria-label={column.name}>
      <ColumnHead column={column} />
      {refusal && <Refusal text={refusal} />}
      {limit && !refusal && (
        <p className="limit">
          <TriangleAlert className="ic" /> {limit}
        </p>
      )}
      <Cards column={column} onOpen={onOpen} />
    </section>
  )
})

export const useColumn = (id: string): ColumnState | undefined =>
  useBoard(state => state.board?.columns.find(column => column.id === id))

/** Why the column refuses the cards in hand. */
export const useRefusal = (id: string): string | undefined =>
  useBoard(({ held, board }) => {
    const column = held && board?.columns.find(each => each.id === id)
    return column && board ? whyNot(held, column, board.columnField, heldItem) : undefined
  })

const gap = 6

function Cards({ column, onOpen }: { column: ColumnState; onOpen: (item: Item) => void }) {
  const scroller = useRef<HTMLDivElement>(null)
  const { ids, count, next } = column
  const cards = useVirtualizer({
    count: next ? Math.max(count, ids.length) : ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: at => heightOf(ids[at]),
    getItemKey: at => ids[at] ?? at,
    measureElement: measureSlot,
    gap,
    overscan: 1,
    paddingStart: 4,
    paddingEnd: 4,
    useFlushSync: false,
    // The first cards are rendered with their column, before its height is known.
    initialRect: { width: 0, height: innerHeight },
  })
  usePlaceForCards(scroller, { column: column.id })
  useEffect(
    () =>
      offerScroll(column.id, id => {
        const at = ids.indexOf(id)
        if (at >= 0) cards.scrollToIndex(at)
      }),
    [column.id, ids, cards],
  )
  const shown = cards.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (next && last > ids.length - 30) void loadMore(column.id)
  }, [next, last, ids.length, column.id])
  return (
    <div className="stack" ref={scroller}>
      <div
        className="stack-inner"
        ref={element => {
          if (element) element.style.height = `${cards.getTotalSize()}px`
        }}
      >
        {shown.map(({ index, start, key }) => {
          const id = ids[index]
          return (
            <div
              key={key}
              className="slot"
              data-index={index}
              data-slot={id}
              ref={element => {
                if (!element) return
                element.style.transform = `translateY(${start}px)`
                measureOnce(element, () => cards.measureElement(element))
              }}
            >
              {id ? <Card id={id} column={column.id} onOpen={onOpen} /> : <span className="sk sk-card" />}
            </div>
          )
        })}
      </div>
      <AddCard column={column.id} />
    </div>
  )
}
