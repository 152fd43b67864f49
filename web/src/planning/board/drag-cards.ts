import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type RefObject, useEffect } from 'react'
import { heldItem } from '../../items/held-item.ts'
import { boardNow, type Spot, useBoard } from './state/board-store.ts'
import { heldTogether, pickUp, putDown } from './state/hold-cards.ts'
import { moveCards } from './state/move-cards.ts'
import { whyNot } from './state/refusals.ts'

interface Place {
  column: string
  lane?: string | undefined
}

/** A card can be taken by hand, and others can be put above and below it. */
export function useCardDrag(ref: RefObject<HTMLElement | null>, { id, column, lane }: Place & { id: string }): void {
  useEffect(() => {
    const element = ref.current
    if (!element) return
    return combine(
      draggable({ element, getInitialData: () => ({ cards: heldTogether(id) }) }),
      dropTargetForElements({
        element,
        getData: ({ input }) =>
          attachClosestEdge({ card: id, column, lane }, { element, input, allowedEdges: ['top', 'bottom'] }),
        canDrop: ({ source }) => takes(column, cardsOf(source.data)),
      }),
    )
  }, [ref, id, column, lane])
}

/** A column, or its part of a lane, takes cards, and scrolls while one is held at its edge. */
export function usePlaceForCards(ref: RefObject<HTMLElement | null>, { column, lane }: Place): void {
  useEffect(() => {
    const element = ref.current
    if (!element) return
    return combine(
      dropTargetForElements({
        element,
        getData: () => ({ column, lane }),
        canDrop: ({ source }) => takes(column, cardsOf(source.data)),
      }),
      autoScrollForElements({ element }),
    )
  }, [ref, column, lane])
}

function takes(columnId: string, ids: readonly string[]): boolean {
  // A drag is told a frame after it began, and may be over by then.
  const { held = { ids, ways: new Map() }, board } = useBoard.getState()
  const column = board?.columns.find(({ id }) => id === columnId)
  return board !== undefined && column !== undefined && whyNot(held, column, board.columnField, heldItem) === undefined
}

/** Follows a card from the moment it is taken until it is put down. */
export function useDragging(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = ref.current
    if (!element) return
    return combine(
      autoScrollForElements({ element }),
      monitorForElements({
        onDragStart: ({ source }) => pickUp(cardsOf(source.data)),
        onDrag: ({ location }) => showSpot(spotOf(location.current.dropTargets)),
        onDrop: ({ source, location }) => {
          const spot = spotOf(location.current.dropTargets)
          putDown()
          if (spot) drop(cardsOf(source.data), spot)
        },
      }),
    )
  }, [ref])
}

const cardsOf = ({ cards }: Record<string | symbol, unknown>): string[] =>
  Array.isArray(cards) ? cards.map(each => String(each)) : []

function spotOf(targets: readonly { data: Record<string | symbol, unknown> }[]): Spot | undefined {
  const place = targets.find(({ data }) => typeof data.column === 'string')
  if (!place) return undefined
  const { column, lane, card } = place.data
  const edge = extractClosestEdge(place.data)
  return {
    column: String(column),
    ...(typeof lane === 'string' ? { lane } : {}),
    ...(typeof card === 'string' ? { id: card, edge: edge === 'top' ? 'top' : 'bottom' } : {}),
  }
}

function showSpot(spot: Spot | undefined): void {
  const { spot: now } = useBoard.getState()
  const isSame =
    now?.column === spot?.column && now?.id === spot?.id && now?.edge === spot?.edge && now?.lane === spot?.lane
  if (!isSame) useBoard.setState({ spot })
}

function drop(ids: readonly string[], { column, lane, id, edge }: Spot): void {
  const board = boardNow()
  if (!board || (id !== undefined && ids.includes(id))) return
  const laneChanges = lane !== undefined && ids.some(each => board.laneOf.get(each) !== lane)
  moveCards({
    ids,
    column,
    ...(id ? { [edge === 'top' ? 'before' : 'after']: id } : {}),
    ...(laneChanges ? { lane } : {}),
  })
}
