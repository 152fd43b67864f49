import { type Approval, call, codes, type Item } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { gantry } from '../../kernel/data/client.ts'
import { useLiveList } from '../../kernel/data/live-list.ts'
import { useSession } from '../../kernel/data/session.ts'
import { put } from '../../kernel/data/store.ts'
import { today } from '../../kernel/dates/days.ts'

export const sections = ['now', 'overdue', 'waiting', 'soon'] as const
export type Section = (typeof sections)[number]

export interface WorkEntry {
  /** The item. */
  id: string
  approval?: Approval
}

export type Work = Record<Section, WorkEntry[]>

type Card = Item & { clock?: { state: number; dueAt: string | null }[] | undefined }

const fields =
  'key,title,status,statusCategory,priority,assignees,dueDate,containerId,processId,estimateMinutes,version,updated'
const maxItems = 200
const pending = 0 // the state of an approval that waits for votes

const queryKey = ['my-work']

/** What a person has to do, in the order in which it presses. */
export function useWork() {
  const { user } = useSession()
  useLiveList(queryKey, {
    entity: 'Item',
    properties: ['assignees', 'status', 'statusCategory', 'dueDate', 'priority', 'title', 'archived'],
  })
  useLiveList(queryKey, { entity: 'Approval' })
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const own = {
        assignees: user.id,
        'statusCategory[lt]': codes.statusCategory.done,
        sort: 'dueDate',
        limit: maxItems,
      }
      const [items, approvals] = await Promise.all([
        call(gantry, 'GET /item', { query: { ...own, fields, include: 'clock' }, signal }),
        waitingApprovals(user.id, signal),
      ])
      for (const item of items) put(item)
      return sorted(items, approvals, today(user.timezone))
    },
  })
}

/** The approvals that wait for this person. Their items need not be the person's own. */
async function waitingApprovals(userId: string, signal: AbortSignal): Promise<Approval[]> {
  const [me, approvals] = await Promise.all([
    call(gantry, 'GET /user/me', { signal }),
    call(gantry, 'GET /approval', { query: { state: pending, limit: 100 }, signal }),
  ])
  const mine = approvals.filter(
    ({ groupId, votes }) => me.groups?.includes(groupId) && !votes.some(vote => vote.userId === userId),
  )
  const ids = [...new Set(mine.map(({ itemId }) => itemId))]
  if (ids.length > 0)
    for (const item of await call(gantry, 'GET /item', {
      query: { id: ids.join(','), fields, limit: ids.length },
      signal,
    }))
      put(item)
  return mine
}

/** Divides open items into what is being done, what is late, what waits and the rest; clocks that end first come first. */
export function sorted(items: readonly Card[], approvals: readonly Approval[], now: string): Work {
  const isLate = ({ dueDate }: Card) => dueDate != null && dueDate < now
  const sectionOf = (item: Card): Section => {
    if (isLate(item)) return 'overdue'
    if (item.statusCategory === codes.statusCategory.started) return 'now'
    return item.statusCategory === codes.statusCategory.waiting ? 'waiting' : 'soon'
  }
  const byPress = items.toSorted((one, other) => pressOf(one).localeCompare(pressOf(other)))
  const grouped = Object.groupBy(byPress, sectionOf)
  const entries = (section: Section): WorkEntry[] => (grouped[section] ?? []).map(({ id }) => ({ id }))
  const asked = approvals.map(approval => ({ id: approval.itemId, approval }))
  return {
    now: entries('now'),
    overdue: entries('overdue'),
    waiting: [...entries('waiting'), ...asked],
    soon: entries('soon'),
  }
}

const never = '9999'

/** Red first: the moment at which the next clock ends, else the day on which it is due. */
function pressOf({ clock = [], dueDate }: Card): string {
  const ends = clock
    .filter(({ state, dueAt }) => state < codes.clockState.met && dueAt)
    .map(({ dueAt }) => dueAt ?? never)
  return [...ends, dueDate ?? never].toSorted()[0] ?? never
}
