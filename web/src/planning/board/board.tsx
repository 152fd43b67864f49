import type { Board as BoardRecord, Item } from '@gantry/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { InSlices } from '../../kernel/later.tsx'
import { Button, Empty, Keys, Skeleton } from '../../kit/kit.tsx'
import { say } from '../messages.ts'
import { BoardContainer } from './board-container.ts'
import { useBoardCommands } from './board-keys.ts'
import { Column } from './column.tsx'
import { useDragging } from './drag-cards.ts'
import { useCardEditors } from './edit-cards.ts'
import { Lanes } from './lanes.tsx'
import { MoveMenu } from './move-menu.tsx'
import { otherColumn } from './state/board-state.ts'
import { useBoard } from './state/board-store.ts'
import { nameOf } from './state/hold-cards.ts'
import { useLiveCards } from './state/live-cards.ts'
import { loadBoard, reloadBoard } from './state/load-cards.ts'
import { useNewCards } from './state/new-cards.ts'
import { useWaitingMoves } from './state/waiting-moves.ts'

export { loadBoard }

interface BoardProps {
  board: BoardRecord
  /** Where new cards are made. */
  containerId: string
  quickFilters: readonly string[]
  onOpen: (item: Item) => void
}

/** A board: its columns, and cards that are moved by hand or by keys. A column that refuses the card in hand says why. */
export function Board({ board, containerId, quickFilters, onOpen }: BoardProps) {
  const filters = quickFilters.join()
  useEffect(() => {
    void loadBoard(board, filters.split(',').filter(Boolean))
  }, [board, filters])
  useWaitingMoves(board.id)
  useNewCards(board.id, board.containerIds)
  useLiveCards(board.containerIds, filters !== '' || (board.criteria.conditionGroup?.length ?? 0) > 0)
  const navigate = useNavigate()
  const visit = useCallback(
    ({ id, key }: Item) => void navigate({ to: '/item/$key', params: { key: key ?? id } }),
    [navigate],
  )
  useBoardCommands(onOpen, visit)
  useCardEditors()
  const isHere = useBoard(state => state.boardId === board.id)
  const hasFailed = useBoard(state => state.failed !== undefined && state.board === undefined)
  const isLoaded = useBoard(state => state.board !== undefined)
  if (hasFailed)
    return (
      <Empty title={say.failed}>
        <Button onClick={() => void reloadBoard()}>{say.retry}</Button>
      </Empty>
    )
  if (!isHere || !isLoaded) return <Skeleton />
  return (
    <BoardContainer value={containerId}>
      <div className="board" data-where="board">
        <InSlices meanwhile={<Skeleton />}>
          <Columns onOpen={onOpen} />
        </InSlices>
        <Hand />
        <MoveMenu />
        <Said />
      </div>
    </BoardContainer>
  )
}

function Columns({ onOpen }: { onOpen: (item: Item) => void }) {
  const hasLanes = useBoard(state => (state.board?.laneField ?? '') !== '')
  return hasLanes ? <LanesOf onOpen={onOpen} /> : <PlainColumns onOpen={onOpen} />
}

function LanesOf({ onOpen }: { onOpen: (item: Item) => void }) {
  const board = useBoard(state => state.board)
  return board && <Lanes board={board} onOpen={onOpen} />
}

function PlainColumns({ onOpen }: { onOpen: (item: Item) => void }) {
  const area = useRef<HTMLDivElement>(null)
  useDragging(area)
  // The names of the columns only: a card that moves renders two columns and not the board.
  const shown = useBoard(state =>
    (state.board?.columns ?? [])
      .filter(({ id, count }) => id !== otherColumn || count > 0)
      .map(({ id }) => id)
      .join('\n'),
  )
  const ids = useMemo(() => shown.split('\n').filter(Boolean), [shown])
  return (
    <div className="cols" ref={area}>
      {ids.map(id => (
        <Column key={id} id={id} onOpen={onOpen} />
      ))}
    </div>
  )
}

/** What is in hand, and the way back. */
function Hand() {
  const held = useBoard(state => state.held)
  if (!held) return null
  return (
    <div className="hand">
      <span className="mid">{say.inHand(nameOf(held.ids))}</span>
      <span className="hstack">
        <Keys keys="Escape" /> {say.back}
      </span>
    </div>
  )
}

/** What a screen reader says of moves. */
function Said() {
  const said = useBoard(state => state.said)
  return (
    <p className="sr" aria-live="assertive">
      {said}
    </p>
  )
}
