import { call, type MyWork, type WorkCard } from '@gantry/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { gantry } from '../../kernel/data/client.ts'
import { useLiveList } from '../../kernel/data/live/live-list.ts'
import { put } from '../../kernel/data/records/store.ts'

export const sections = ['now', 'overdue', 'waiting', 'soon', 'later'] as const
export type Section = (typeof sections)[number]

export interface WorkEntry {
  /** The item. */
  id: string
  /** The approval that waits for the vote of this person. */
  approvalId?: string
}

/** The ids of what a person has to do; the items are in the store. */
export interface Work {
  entries: Record<Section, WorkEntry[]>
  /** Also what is not listed. */
  counts: Record<Section, number>
  recent: readonly string[]
}

const queryKey = ['my-work']

/** What a person has to do, in the order in which it presses; of each section at most so many entries. */
export function useWork(limit: number) {
  useLiveList(queryKey, {
    entity: 'Item',
    properties: ['assignees', 'status', 'statusCategory', 'dueDate', 'priority', 'archived'],
  })
  useLiveList(queryKey, { entity: 'Approval' })
  return useQuery({
    queryKey: [...queryKey, limit],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => kept(await call(gantry, 'GET /user/me/work', { query: { limit }, signal })),
  })
}

function kept(work: MyWork): Work {
  const asked = work.approvals.flatMap(({ id, item }) => (item ? [{ id: keep(item), approvalId: id }] : []))
  const entries = (section: Section): WorkEntry[] => work[section].map(card => ({ id: keep(card) }))
  return {
    entries: {
      now: entries('now'),
      overdue: entries('overdue'),
      waiting: [...entries('waiting'), ...asked],
      soon: entries('soon'),
      later: entries('later'),
    },
    counts: { ...work.counts, waiting: work.counts.waiting + work.counts.approvals },
    recent: work.recent.map(keep),
  }
}

function keep(card: WorkCard): string {
  put(card)
  return card.id
}
