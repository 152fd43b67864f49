import { call } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { gantry } from '../../../kernel/data/client.ts'
import { useAskedAt } from '../../../kernel/data/live/queries.ts'
import { useNew, withNew } from '../../../kernel/data/records/new-records.ts'
import { type Entry, type Message, threadOf } from './thread.ts'

const shownAtMost = 200

/** The messages about an item and its changes, in the order of time. */
export function useThread(itemId: string): { entries: readonly Entry[]; isLoading: boolean } {
  const queryKey = ['conversation', itemId]
  const { data: messages, isLoading } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Message[]> => {
      const query = { render: 'html' as const, limit: shownAtMost, sort: '-created' }
      return await call(gantry, 'GET /item/{id}/annotations', { path: { id: itemId }, query, signal })
    },
  })
  const added = useNew<Message>('Annotation', 'itemId', itemId, useAskedAt(queryKey))
  const { data: events } = useQuery({
    queryKey: ['changes', itemId],
    queryFn: async ({ signal }) => {
      const query = { limit: shownAtMost, kinds: 'activity' }
      const timeline = await call(gantry, 'GET /item/{id}/timeline', { path: { id: itemId }, query, signal })
      return timeline.flatMap(({ activity }) => activity ?? [])
    },
  })
  const entries = useMemo(() => threadOf(withNew(messages ?? [], added), events ?? []), [messages, added, events])
  return { entries, isLoading }
}

/** What rules did with an item, and why. Those who may not read the log see the rest without it. */
export function useRuleLog(itemId: string, enabled: boolean) {
  return (
    useQuery({
      queryKey: ['rule-log', itemId],
      enabled,
      queryFn: ({ signal }) => call(gantry, 'GET /rule/log', { query: { itemId, limit: 100 }, signal }),
    }).data ?? []
  )
}
