import { useEffect } from 'react'
import { useConnection } from '../../../kernel/data/client.ts'
import type { Delivery } from '../../../kernel/data/outbox/deliver.ts'
import { useOutbox } from '../../../kernel/data/outbox/outbox.ts'
import type { Write } from '../../../kernel/data/outbox/write.ts'
import { followOutcomes } from '../../../kernel/data/updates.ts'
import type { Move } from './board-state.ts'
import { announce, endMove, refuseCards, setPending } from './board-store.ts'
import { refusalsOf } from './refusals.ts'
import { settle } from './settle.ts'

// A move waits in the outbox like every change: neither a lost network nor a closed tab loses it.

export const moveRoute = 'POST /board/{id}/move'

export const isMoveOn = (boardId: string, { route, path }: Write): boolean =>
  route === moveRoute && path?.id === boardId

/** The moves of a board that wait for the service, oldest first: writes wait by record, and their ids are in the order of their making. */
function waitingMoves(boardId: string, except = ''): Move[] {
  const moves = useOutbox.getState().waiting.filter(write => write.id !== except && isMoveOn(boardId, write))
  return moves.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(moveOf)
}

function moveOf({ body: { itemId, itemIds, column, before, after, swimlane } }: Write): Move {
  return {
    ids: Array.isArray(itemIds) ? itemIds.map(String) : [String(itemId)],
    column: String(column),
    ...(before ? { before: String(before) } : {}),
    ...(after ? { after: String(after) } : {}),
    ...(swimlane === undefined ? {} : { lane: String(swimlane) }),
  }
}

/** Paints the moves of a board as long as they wait, and says what became of them; also of those that were made before a reload. */
export function useWaitingMoves(boardId: string): void {
  useEffect(() => {
    const show = () => setPending(boardId, waitingMoves(boardId))
    const stops = [
      useOutbox.subscribe(show),
      followOutcomes((delivery, write) => isMoveOn(boardId, write) && follow(boardId, delivery, write)),
    ]
    show()
    return () => {
      for (const stop of stops) stop()
    }
  }, [boardId])
}

/** Keeps a move, or takes it back with the reason at the cards. Returns true: the board has said it. */
function follow(boardId: string, delivery: Delivery, write: Write): boolean {
  const move = moveOf(write)
  const rest = waitingMoves(boardId, write.id)
  endMove(boardId, move, rest, delivery.outcome === 'done' ? 'kept' : 'refused')
  // After the values of the move are no longer painted.
  queueMicrotask(() => {
    for (const id of move.ids) settle(id)
  })
  if (delivery.outcome === 'done') for (const warning of warningsOf(delivery.reply?.answer)) announce(warning)
  if (delivery.outcome === 'refused')
    for (const [ids, why] of refusalsOf(delivery.problem, move.ids)) {
      // A card that has been moved on since says nothing of where it did not arrive.
      const here = ids.filter(id => !rest.some(later => later.ids.includes(id)))
      if (here.length > 0) refuseCards(here, why)
    }
  return true
}

const warningsOf = (answer: unknown): string[] =>
  typeof answer === 'object' && answer !== null && 'warnings' in answer && Array.isArray(answer.warnings)
    ? answer.warnings.map(String)
    : []

/** Whether something that was done to a card waits for the network. */
export function useWaits(id: string): boolean {
  const isAway = useConnection(({ offline }) => offline)
  return useOutbox(
    ({ waiting }) => isAway && waiting.some(({ recordId, paintedIn = {} }) => recordId === id || id in paintedIn),
  )
}
