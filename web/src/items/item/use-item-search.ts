import { call, type Hit, type Item } from '@gantry/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { gantry } from '../../kernel/data/client.ts'
import { put, useRecord } from '../../kernel/data/records/store.ts'

/** Items by a part of their title or key. */
export function useItemSearch(text: string, enabled: boolean): Hit[] {
  const needle = text.trim()
  const { data = [] } = useQuery({
    queryKey: ['search', needle],
    enabled: enabled && needle.length > 1,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(gantry, 'GET /search', { query: { q: needle, kind: 'item', limit: 20 }, signal }),
  })
  return needle.length > 1 ? data : []
}

/** An item that another one refers to. */
export function useItemRef(id: string | undefined): Item | undefined {
  useQuery({
    queryKey: ['item', id],
    enabled: Boolean(id),
    queryFn: async ({ signal }) => {
      const item = await call(gantry, 'GET /item/{id}', { path: { id: id ?? '' }, signal })
      put(item)
      return item.id
    },
  })
  return useRecord<Item>('Item', id ?? '')
}
