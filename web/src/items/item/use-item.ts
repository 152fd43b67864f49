import { call, codes, type Item, type ResolvedScreen } from '@gantry/sdk'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { gantry } from '../../kernel/data/client.ts'
import { onChanges } from '../../kernel/data/live/live.ts'
import { fetchAgain } from '../../kernel/data/live/queries.ts'
import { baseOf, useRecord } from '../../kernel/data/records/store.ts'
import { openItem, screenKey, useCan } from './frame/open-item.ts'

/** An item as it is opened: found, or why not. */
export interface ItemFound {
  item: Item | undefined
  error: unknown
  isLoading: boolean
  retry: () => void
}

export function useItem(itemKey: string): ItemFound {
  const client = useQueryClient()
  const {
    data: id,
    error,
    refetch,
    isLoading,
  } = useQuery({
    queryKey: ['item', itemKey],
    queryFn: ({ signal }) => openItem(client, itemKey, signal),
  })
  // An item that the service does not have yet is found by its id.
  const item = useRecord<Item>('Item', id ?? itemKey)
  useEffect(
    () =>
      onChanges(changes => {
        if (!id) return
        const concerns = (entity: string) => changes.some(change => change.entity === entity)
        if (changes.some(({ recordId, own }) => recordId === id && !own))
          void fetchAgain(client, { queryKey: ['item', itemKey] })
        for (const [entity, part] of parts) if (concerns(entity)) void fetchAgain(client, { queryKey: [part, id] })
        if (changes.some(({ recordId }) => recordId === id)) void fetchAgain(client, { queryKey: ['changes', id] })
      }),
    [client, id, itemKey],
  )
  useReopened(item)
  return { item, error, isLoading, retry: () => void refetch() }
}

/** An item that comes back from the trash is read anew, with what belongs to it and what one may do. */
function useReopened(item: Item | undefined): void {
  const client = useQueryClient()
  const before = useRef<Item>(undefined)
  useEffect(() => {
    const known = before.current
    before.current = item
    if (!item || known?.id !== item.id || !known.deleted || item.deleted) return
    void fetchAgain(client, { predicate: ({ queryKey: [, of] }) => of === item.id || of === item.key })
  }, [client, item])
}

/** Which part of an item shows the records of another kind. */
const parts = [
  ['Annotation', 'conversation'],
  ['Time', 'time'],
  ['File', 'files'],
  ['Link', 'links'],
  ['Watch', 'watch'],
  ['Watch', 'watchers'],
  ['Item', 'children'],
  ['ChecklistEntry', 'checklist'],
] as const

/** The description as HTML; the last one while a new one is made. */
export function useDescriptionHtml({ id, description = '' }: Item) {
  return useQuery({
    queryKey: ['description', id, description],
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    // A text that is painted and not sent yet has no HTML.
    enabled: (baseOf('Item', id) as Item | undefined)?.description === description,
    queryFn: async ({ signal }) => {
      const answer = await call(gantry, 'GET /item/{id}', {
        path: { id },
        query: { render: 'html', deleted: 'include' },
        signal,
      })
      return answer.descriptionHtml ?? ''
    },
  })
}

export type ScreenField = ResolvedScreen['sections'][number]['fields'][number]

/** The fields that the caller edits on this item, as the screen of its process has them. */
export function useScreen(item: Item): ResolvedScreen | undefined {
  return useQuery({
    queryKey: screenKey(item),
    enabled: !item.deleted,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(gantry, 'GET /item/{id}/screen', {
        path: { id: item.id },
        query: { moment: codes.screenMoment.edit },
        signal,
      }),
  }).data
}

/** Whether the item is only to be read: in the trash, archived, or not this person's to change. */
export function useIsReadOnly({ id, deleted, archived }: Item): boolean {
  const { update } = useCan(id)
  return deleted || archived === true || !update
}
