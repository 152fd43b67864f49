import { useEffect, useMemo } from 'react'
import { useOutbox } from '../../../kernel/data/outbox/outbox.ts'
import type { Write } from '../../../kernel/data/outbox/write.ts'
import { useOutcomes } from '../../../kernel/data/updates.ts'

/** An item that goes directly before or after another one. */
export interface Rank {
  id: string
  before?: string
  after?: string
}

export const rankRoute = 'POST /item/{id}/rank'

export const isRank = ({ route }: Write): boolean => route === rankRoute

const rankOf = ({ recordId, body: { before, after } }: Write): Rank => ({
  id: recordId,
  ...(before ? { before: String(before) } : {}),
  ...(after ? { after: String(after) } : {}),
})

/** The ids in their new order. Items of which one is not there stay where they are. */
export const withRanks = (ids: readonly string[], ranks: readonly Rank[]): readonly string[] =>
  ranks.reduce((order, { id, before, after }) => {
    const beside = before ?? after ?? ''
    if (!order.includes(id) || !order.includes(beside)) return order
    const others = order.filter(each => each !== id)
    return others.toSpliced(others.indexOf(beside) + (before ? 0 : 1), 0, id)
  }, ids)

/** The ranks that wait for the service, oldest first. */
export function useWaitingRanks(): readonly Rank[] {
  // A name of them all: a list is not rendered for other writes.
  const name = useOutbox(({ waiting }) =>
    waiting
      .filter(isRank)
      .map(({ id }) => id)
      .join(),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for the ranks
  return useMemo(() => ranksIn(useOutbox.getState().waiting), [name])
}

const ranksIn = (waiting: readonly Write[]) => inOrder(waiting.filter(isRank)).map(rankOf)

/** Writes wait by record; their ids are in the order of their making. */
const inOrder = (writes: readonly Write[]) => writes.toSorted((one, other) => (one.id < other.id ? -1 : 1))

/** Calls back with the ranks that the service has taken, before they are no longer painted. */
export function useTakenRanks(take: (ranks: readonly Rank[]) => void): void {
  useEffect(
    () =>
      useOutbox.subscribe((now, before) => {
        const left = before.waiting.filter(write => isRank(write) && now.waiting.every(({ id }) => id !== write.id))
        const { refused } = useOutcomes.getState()
        const taken = left.filter(({ recordId }) => !refused.has(recordId))
        if (taken.length > 0) take(inOrder(taken).map(rankOf))
      }),
    [take],
  )
}
