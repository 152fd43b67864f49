import { call, type Transition } from '@gantry/sdk'
import { useFocus } from '../../../items/focus.ts'
import { heldItem } from '../../../items/held-item.ts'
import { gantry } from '../../../kernel/data/client.ts'
import { say } from '../../messages.ts'
import { cardsDown } from './board-state.ts'
import { announce, boardNow, useBoard } from './board-store.ts'

/** The cards that go with one of them: all that are selected if it is one of these, in the order of the board. */
export function heldTogether(id: string): string[] {
  const { selected } = useFocus.getState()
  const board = boardNow()
  if (!selected.has(id) || !board) return [id]
  const inOrder = board.columns
    .flatMap(column => cardsDown(board, column, new Set()))
    .filter(each => selected.has(each))
  return inOrder.length > 0 ? inOrder : [id]
}

/** Takes cards in hand, and asks which columns their workflows allow. */
export function pickUp(ids: readonly string[]): void {
  useBoard.setState({ held: { ids, ways: new Map() }, refused: new Map() })
  announce(say.inHand(nameOf(ids)))
  void fetchWays(ids).then(ways => {
    if (useBoard.getState().held?.ids === ids) useBoard.setState({ held: { ids, ways } })
  })
}

export const putDown = (): void => useBoard.setState({ held: undefined, spot: undefined })

export const nameOf = (ids: readonly string[]): string =>
  ids.length === 1 ? (heldItem(ids[0] ?? '')?.key ?? '') : say.cards(ids.length)

const askedAtMost = 10

/** The transitions of the cards. Of many cards the first are asked; the service decides about the rest when they are moved. */
export async function fetchWays(ids: readonly string[]): Promise<Map<string, Transition[]>> {
  const asked = ids.slice(0, askedAtMost)
  const answers = await Promise.all(
    asked.map(id => call(gantry, 'GET /item/{id}/transitions', { path: { id } }).catch((): Transition[] => [])),
  )
  return new Map(asked.map((id, at) => [id, answers[at] ?? []]))
}
