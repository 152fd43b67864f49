import { heldItem } from '../../../items/held-item.ts'
import { useOutbox } from '../../../kernel/data/outbox/outbox.ts'
import { actOnRecord } from '../../../kernel/data/updates.ts'
import { say } from '../../messages.ts'
import type { Move } from './board-state.ts'
import { acceptCards, announce, boardNow, useBoard } from './board-store.ts'
import { valuesIn } from './card-values.ts'
import { isMoveOn, moveRoute } from './waiting-moves.ts'

/**
 * Moves cards: painted at once, sent after it as one request, so that one step takes it back, in the order in which they were made.
 * Refused cards go back and say why.
 */
export function moveCards(move: Move): void {
  const board = boardNow()
  const column = board?.columns.find(({ id }) => id === move.column)
  const [id] = move.ids
  if (!board || !column || !id) return
  const { boardId } = useBoard.getState()
  const paintedIn = Object.fromEntries(
    move.ids.flatMap(each => {
      const item = heldItem(each)
      return item ? [[each, valuesIn(item, board.columnField, column)]] : []
    }),
  )
  // Each move goes by the places that the ones before have made, and by cards that may be new.
  const beside = [...move.ids, move.before, move.after]
  const earlier = useOutbox
    .getState()
    .waiting.filter(write => isMoveOn(boardId, write) || beside.includes(write.recordId))
  const text = say.movedTo(keysOf(move), column.name)
  acceptCards(move.ids)
  announce(text)
  void actOnRecord({
    entity: 'Item',
    id,
    route: moveRoute,
    path: { id: boardId },
    body: bodyOf(move),
    paintedIn,
    follows: earlier.map(write => write.id),
    text,
  })
}

const keysOf = ({ ids }: Move): string =>
  ids.length === 1 ? (heldItem(ids[0] ?? '')?.key ?? '') : say.cards(ids.length)

function bodyOf({ ids, column, before, after, lane }: Move) {
  const [itemId] = ids
  return {
    ...(ids.length === 1 ? { itemId } : { itemIds: [...ids] }),
    column,
    ...(lane === undefined ? {} : { swimlane: lane }),
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
  }
}

/** Moves cards to the top of a column, where they are seen. */
export function moveToTop(ids: readonly string[], column: string): void {
  const first = boardNow()
    ?.columns.find(({ id }) => id === column)
    ?.ids.find(id => !ids.includes(id))
  moveCards({ ids, column, ...(first ? { before: first } : {}) })
}
