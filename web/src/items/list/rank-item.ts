import { call, type Item, isProblem } from '@gantry/sdk'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { gantry } from '../../kernel/data/client.ts'
import { put } from '../../kernel/data/store.ts'
import { notify, remember } from '../../kernel/data/undo.ts'
import { say } from '../messages.ts'
import { isPage, isRankedList, listsOf } from './use-pages.ts'

/** Puts an item before or after its neighbour: at once on the screen, then in the service, in the order of the keys. */
export function useRank(): (item: Item, ids: readonly string[], by: 1 | -1) => void {
  const client = useQueryClient()
  return useCallback(
    (item, ids, by) => {
      const neighbour = ids[ids.indexOf(item.id) + by]
      if (!neighbour) return
      void client.cancelQueries({ queryKey: listsOf(item.containerId) })
      swap(client, item, neighbour)
      sent = sent.then(() => send(client, item, by < 0 ? { before: neighbour } : { after: neighbour }))
    },
    [client],
  )
}

/** The latest request: each goes by the neighbours that the one before has made. */
let sent = Promise.resolve()

async function send(client: QueryClient, item: Item, body: { before: string } | { after: string }): Promise<void> {
  try {
    const { answer, changeSet } = await call(gantry, 'POST /item/{id}/rank', {
      path: { id: item.id },
      body,
    }).withResponse()
    put(answer)
    remember(changeSet, say.ranked(item.key ?? ''))
  } catch (error) {
    notify(isProblem(error) ? error.message : say.notRanked)
    await client.invalidateQueries({ queryKey: listsOf(item.containerId) })
  }
}

/** Two items that follow each other change places in every list by rank. Those of different pages are left to the next answer. */
function swap(client: QueryClient, { id, containerId }: Item, neighbour: string): void {
  client.setQueriesData(
    { queryKey: listsOf(containerId), predicate: ({ queryKey }) => isRankedList(queryKey) },
    (page: unknown) => {
      if (!isPage(page) || !page.ids.includes(id) || !page.ids.includes(neighbour)) return page
      const other = new Map([
        [id, neighbour],
        [neighbour, id],
      ])
      return { ...page, ids: page.ids.map(each => other.get(each) ?? each) }
    },
  )
}
