import { heldItem } from '../../../items/held-item.ts'
import { applyMove, settlingMove, without } from './board-state.ts'
import { isMoving, setBase, useBoard, weightOf } from './board-store.ts'
import { groupValue } from './card-values.ts'

/** Brings a card to where its record says that it belongs. Cards on their way stay where they were put. */
export function settle(id: string): void {
  const { base } = useBoard.getState()
  const item = heldItem(id)
  if (!base || !isRanked() || isMoving(id)) return
  if (!item || item.deleted) {
    setBase(state => without(state, id, weightOf))
    return
  }
  const value = groupValue(item, base.columnField)
  const lane = base.laneField === '' ? undefined : groupValue(item, base.laneField)
  if (value === undefined || item.rank === undefined) return
  const move = settlingMove(base, id, { value, rank: item.rank, lane }, each => heldItem(each)?.rank ?? '')
  if (move) setBase(state => applyMove(state, move, weightOf))
}

/** Whether the cards are in the order of their ranks: otherwise only the service knows their places. */
export const isRanked = (): boolean => !useBoard.getState().sortField
