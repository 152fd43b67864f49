import { call, codes, type ItemCan, type OpenedItem } from '@gantry/sdk'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { gantry } from '../../../kernel/data/client.ts'
import { put } from '../../../kernel/data/records/store.ts'
import { timeNow } from '../../../kernel/data/time-now.ts'
import { isOpen } from '../../catalogue.ts'

const parts = 'screen,clock,can,links,watch,checklist,children,files'

/** The query key of what an item's screen depends on. */
export const screenKey = (item: Pick<OpenedItem, 'id' | 'processId' | 'containerId' | 'status'>) => [
  'screen',
  item.id,
  item.processId,
  item.containerId,
  item.status,
]

/** A sub-item in the list of an item: the record itself is in the store. */
export interface Child {
  id: string
  closed: boolean
}

export function childrenOf(found: NonNullable<OpenedItem['children']>): Child[] {
  for (const each of found) put(each)
  return found.map(({ id, statusCategory }) => ({ id, closed: !isOpen(statusCategory) }))
}

/** Reads an item with everything its page shows beside the conversation, in one call; each part then refreshes by itself. */
export async function openItem(client: QueryClient, itemKey: string, signal: AbortSignal): Promise<string> {
  const asked = { updatedAt: timeNow() }
  const opened = await call(gantry, 'GET /item/{id}', {
    path: { id: itemKey },
    query: { render: 'html', deleted: 'include', include: parts, moment: codes.screenMoment.edit },
    signal,
  })
  const { descriptionHtml, screen, can, links, watch, clock, checklist, children, files, ...rest } = opened
  const { childrenNext: _children, filesNext: _files, transitions: _transitions, ...item } = rest
  put(item)
  const { id } = item
  const know = (key: readonly unknown[], data: unknown) => data !== undefined && client.setQueryData(key, data, asked)
  know(['description', id, item.description ?? ''], descriptionHtml ?? '')
  know(screenKey(item), screen)
  know(['can', id], can)
  know(['links', id], links)
  know(['watch', id], watch)
  know(['checklist', id], checklist)
  know(['has-clocks', id], (clock ?? []).length > 0)
  know(['children', id], children && childrenOf(children))
  know(['files', id], files)
  know(
    ['time', id],
    item.Time?.toSorted((one, other) => (other.date ?? '').localeCompare(one.date ?? '')),
  )
  return id
}

/** Parts that `openItem` reads: when the item is shown again, it brings them, and they do not ask for themselves. */
export const readWithItem = { staleTime: 30_000 } // ms

const everything: ItemCan = { update: true, delete: true, move: true, comment: true, log: true }

/** What this person may do with an item. Until it is known, the service is the one who refuses. */
export function useCan(itemId: string): ItemCan {
  return (
    useQuery({
      ...readWithItem,
      queryKey: ['can', itemId],
      queryFn: async ({ signal }) => {
        const query = { include: 'can', deleted: 'include' as const }
        return (await call(gantry, 'GET /item/{id}', { path: { id: itemId }, query, signal })).can ?? everything
      },
    }).data ?? everything
  )
}
