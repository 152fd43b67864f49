import type { Item } from '@gantry/sdk'
import { useMemo } from 'react'
import { focus, selectNone, toggle, useFocus } from '../../items/focus.ts'
import { heldItem } from '../../items/held-item.ts'
import { say as sayItem } from '../../items/messages.ts'
import type { Command } from '../../kernel/commands/commands.ts'
import { useOffer } from '../../kernel/commands/keys.ts'
import { say } from '../messages.ts'
import { focusCard, focusMovedCard } from './card-focus.ts'
import { openMoveMenu } from './move-menu.tsx'
import { scrollToCard } from './scroll-to-card.ts'
import { type BoardState, cardsDown, columnOf, otherColumn } from './state/board-state.ts'
import { announce, boardNow, useBoard } from './state/board-store.ts'
import { heldTogether } from './state/hold-cards.ts'
import { moveCards, moveToTop } from './state/move-cards.ts'
import { isRanked } from './state/settle.ts'

/** The keys of a board. */
export function useBoardCommands(onOpen: (item: Item) => void, onVisit: (item: Item) => void): void {
  const commands = useMemo(() => {
    const own = (id: string, title: string, keys: string, run: () => void, may?: () => boolean): Command => ({
      id: `board.${id}`,
      title,
      keys,
      where: 'board',
      run,
      ...(may ? { may } : {}),
    })
    const withItem = (act: (item: Item) => void) =>
      onCurrent(id => {
        const item = heldItem(id)
        if (item) act(item)
      })
    return [
      own('next', say.nextCard, 'j', () => step(1)),
      own('previous', say.previousCard, 'k', () => step(-1)),
      own('left', say.columnLeft, 'h', () => toColumn(-1)),
      own('right', say.columnRight, 'l', () => toColumn(1)),
      own('toLeft', say.toColumnLeft, 'Shift+h', () => shiftColumn(-1)),
      own('toRight', say.toColumnRight, 'Shift+l', () => shiftColumn(1)),
      own('up', say.up, 'Alt+ArrowUp', () => rank(-1)),
      own('down', say.down, 'Alt+ArrowDown', () => rank(1)),
      own('select', sayItem.select, 'x', onCurrent(toggle)),
      own('peek', sayItem.peek, 'Space', withItem(onOpen), isOnCard),
      own('open', sayItem.open, 'Enter', withItem(onVisit), isOnCard),
      own(
        'move',
        say.moveTo,
        'm',
        onCurrent(id => openMoveMenu(heldTogether(id))),
      ),
      own('leave', sayItem.close, 'Escape', leave),
    ]
  }, [onOpen, onVisit])
  useOffer(commands)
}

/** Acts on the current card, if it is on the board. */
export const onCurrent = (act: (id: string) => void) => () => {
  const { current } = useFocus.getState()
  const board = boardNow()
  if (current && board && columnOf(board, current)) act(current)
}

/** Space and Enter belong to a button that has the focus. */
const isOnCard = () => !document.activeElement?.matches('button, a, [role=menuitem], summary')

/** The columns that keys go to, each with its cards from top to bottom. */
function openColumns(board: BoardState) {
  const { foldedColumns, foldedLanes } = useBoard.getState()
  return board.columns
    .filter(({ id }) => !foldedColumns.has(id))
    .map(column => ({ id: column.id, ids: cardsDown(board, column, foldedLanes) }))
}

function goTo(column: string, id: string | undefined): void {
  if (!id) return
  focusCard(id)
  show(column, id)
}

function show(column: string, id: string): void {
  // A card that is not in the window does not exist yet; its column knows where it will be.
  requestAnimationFrame(() => {
    if (!document.querySelector(`[data-card="${id}"]`)) scrollToCard(column, id)
  })
}

function step(by: number): void {
  const board = boardNow()
  const { current } = useFocus.getState()
  if (!board) return
  const columns = openColumns(board)
  const here = columns.find(({ ids }) => current && ids.includes(current)) ?? columns.find(({ ids }) => ids.length > 0)
  if (!here) return
  const at = current ? here.ids.indexOf(current) : -1
  goTo(here.id, here.ids[Math.min(here.ids.length - 1, Math.max(0, at + by))])
}

/** To the card at the same height in the next column that has cards. */
function toColumn(by: number): void {
  const board = boardNow()
  const { current } = useFocus.getState()
  if (!board) return
  const columns = openColumns(board)
  const from = columns.findIndex(({ ids }) => current && ids.includes(current))
  if (from < 0) {
    step(1)
    return
  }
  const at = columns[from]?.ids.indexOf(current ?? '') ?? 0
  const way = by > 0 ? columns.slice(from + 1) : columns.slice(0, from).reverse()
  const target = way.find(({ ids }) => ids.length > 0)
  if (target) goTo(target.id, target.ids[Math.min(at, target.ids.length - 1)])
}

/** Moves the current card, with the selected ones, to the next column. */
const shiftColumn = (by: number) =>
  onCurrent(id => {
    const board = boardNow()
    const from = board?.columns.findIndex(({ ids }) => ids.includes(id)) ?? -1
    const target = board?.columns[from + by]
    if (!target || target.id === otherColumn) return
    const ids = heldTogether(id)
    moveToTop(ids, target.id)
    focusMovedCard(id)
    show(target.id, id)
  })()

/** Moves the current card up or down by one place. */
const rank = (by: number) =>
  onCurrent(id => {
    const board = boardNow()
    const column = board && columnOf(board, id)
    if (!board || !column) return
    if (!isRanked()) {
      announce(say.sortedByField)
      return
    }
    const lane = board.laneOf.get(id) ?? ''
    const ids = board.lanes.length > 0 ? column.ids.filter(each => (board.laneOf.get(each) ?? '') === lane) : column.ids
    const beside = ids[ids.indexOf(id) + by]
    if (!beside) return
    moveCards({ ids: [id], column: column.id, ...(by < 0 ? { before: beside } : { after: beside }) })
    goTo(column.id, id)
  })()

function leave(): void {
  selectNone()
  useBoard.setState({ refused: new Map(), adding: undefined })
  focus(undefined)
}
