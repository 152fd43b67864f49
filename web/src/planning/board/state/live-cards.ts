import { useEffect } from 'react'
import { type LiveChange, onChanges, onLargeChange } from '../../../kernel/data/live/live.ts'
import { concerns, concernsAtLarge, throttled } from '../../../kernel/data/live/live-list.ts'
import { baseOf, listenTo } from '../../../kernel/data/records/store.ts'
import { columnOf } from './board-state.ts'
import { boardNow } from './board-store.ts'
import { reloadBoard } from './load-cards.ts'
import { isRanked, settle } from './settle.ts'
import { slideCards } from './slide-cards.ts'

/** Follows what others change: cards that are known go to their places one by one, for all else the board is asked again. */
export function useLiveCards(containerIds: readonly string[], hasConditions: boolean): void {
  useEffect(() => {
    const reload = throttled(reloadBoard)
    const places = containerIds.length > 0 ? containerIds : [undefined]
    const boards = places.map(containerId => ({ entity: 'Item', containerId }))
    const stops = [
      onChanges(events => {
        const here = events.filter(event => boards.some(each => concerns(event, each)))
        if (here.length > 0 && !follow(here, hasConditions)) reload()
      }),
      onLargeChange(change => boards.some(each => concernsAtLarge(change, each)) && reload()),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [containerIds, hasConditions])
}

const followedAtMost = 50

/** Brings the cards to their places as far as the records say where these are. Returns whether that is enough. */
function follow(events: readonly LiveChange[], hasConditions: boolean): boolean {
  const board = boardNow()
  const ids = new Set(events.map(({ recordId }) => recordId))
  if (!board || hasConditions || !isRanked() || ids.size > followedAtMost) return false
  const isPlain = ({ kind, recordId }: LiveChange) => /updated|cardMoved/.test(kind) && columnOf(board, recordId)
  if (!events.every(isPlain)) return false
  const fresh = [...ids].filter(id => events.every(event => event.recordId !== id || isKnown(event)))
  slideCards(fresh, () => {
    for (const id of fresh) settle(id)
  })
  // The others are being read again.
  for (const id of ids) if (!fresh.includes(id)) onNext(id, () => slideCards([id], () => settle(id)))
  return true
}

/** Whether the record has the change already: this tab made it, or the event said enough. */
const isKnown = ({ recordId, own, version }: LiveChange) =>
  own || (version !== undefined && (baseOf('Item', recordId)?.version ?? 0) >= version)

function onNext(id: string, act: () => void): void {
  const stop = listenTo('Item', id, () => {
    stop()
    act()
  })
}
