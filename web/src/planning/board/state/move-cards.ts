import { call, isProblem, type Problem } from '@gantry/sdk'
import { heldItem } from '../../../items/held-item.ts'
import { gantry } from '../../../kernel/data/client.ts'
import { painted } from '../../../kernel/data/painted.ts'
import { paint, put } from '../../../kernel/data/records/store.ts'
import { remember } from '../../../kernel/data/undo.ts'
import { say } from '../../messages.ts'
import type { Move } from './board-state.ts'
import { announce, boardNow, endMove, paintMove, refuseCards, useBoard } from './board-store.ts'
import { valuesIn } from './card-values.ts'
import { refusalsOf } from './refusals.ts'
import { settle } from './settle.ts'

/** Moves cards: painted at once, sent after it, in the order in which they were made. Refused cards go back and say why. */
export function moveCards(move: Move): void {
  const board = boardNow()
  const column = board?.columns.find(({ id }) => id === move.column)
  if (!board || !column) return
  const { boardId } = useBoard.getState()
  const unpaint = move.ids.map(id => {
    const item = heldItem(id)
    return item ? paint('Item', id, valuesIn(item, board.columnField, column)) : () => undefined
  })
  paintMove(move)
  announce(say.movedTo(keysOf(move), column.name))
  const end = (outcome: 'kept' | 'refused') => {
    endMove(move, outcome)
    for (const each of unpaint) each()
  }
  const shown = painted()
  turn = turn.then(async () => {
    await shown
    if (isOutdated(move)) return end('refused')
    const refusal = await send(boardId, move, column.name).catch(() => 'lost' as const)
    const isLater = isOutdated(move)
    end(refusal ? 'refused' : 'kept')
    for (const id of move.ids) settle(id)
    if (refusal === 'lost') refuseCards(move.ids, say.notSent)
    else if (refusal && !isLater) for (const [ids, why] of refusalsOf(refusal, move.ids)) refuseCards(ids, why)
  })
}

let turn: Promise<unknown> = Promise.resolve()

/** Whether the same cards have been moved on since. */
function isOutdated(move: Move): boolean {
  const { pending } = useBoard.getState()
  const later = pending.slice(pending.indexOf(move) + 1)
  return later.some(
    ({ ids, lane }) => move.ids.every(id => ids.includes(id)) && (move.lane === undefined || lane !== undefined),
  )
}

const keysOf = ({ ids }: Move): string =>
  ids.length === 1 ? (heldItem(ids[0] ?? '')?.key ?? '') : say.cards(ids.length)

/** Sends a move as one request, so that one step takes it back. Returns why it is refused: none of the cards is moved then. */
async function send(
  boardId: string,
  { ids, column, before, after, lane }: Move,
  name: string,
): Promise<Problem | undefined> {
  const [itemId = ''] = ids
  const body = {
    ...(ids.length === 1 ? { itemId } : { itemIds: [...ids] }),
    column,
    ...(lane === undefined ? {} : { swimlane: lane }),
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
  }
  try {
    const { answer, changeSet } = await call(gantry, 'POST /board/{id}/move', {
      path: { id: boardId },
      body,
    }).withResponse()
    const items = answer.items ?? [answer.item]
    for (const item of items) put(item)
    remember(changeSet, say.movedTo(items.length === 1 ? (answer.item.key ?? '') : say.cards(items.length), name))
    for (const warning of answer.warnings) announce(warning)
    return undefined
  } catch (error) {
    if (!isProblem(error)) throw error
    return error
  }
}

/** Moves cards to the top of a column, where they are seen. */
export function moveToTop(ids: readonly string[], column: string): void {
  const first = boardNow()
    ?.columns.find(({ id }) => id === column)
    ?.ids.find(id => !ids.includes(id))
  moveCards({ ids, column, ...(first ? { before: first } : {}) })
}
