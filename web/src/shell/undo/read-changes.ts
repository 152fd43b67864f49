import { call, type ListedChange } from '@gantry/sdk'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { gantry } from '../../kernel/data/client.ts'
import { onChanges, onLargeChange } from '../../kernel/data/live/live.ts'
import { throttled } from '../../kernel/data/live/live-list.ts'
import { fetchAgain } from '../../kernel/data/live/queries.ts'
import { shownError } from '../../kernel/problems/shown-error.ts'
import { isGoingOn } from './changes.ts'

export type Whose = 'mine' | 'everybody'

const queryKey = ['changes']
const pageSize = 50
const pause = 2000 // ms: where many people work, something changes all the time

/** The changes of a person or of everybody, newest first. New ones arrive by themselves. */
export function useChanges(whose: Whose) {
  const client = useQueryClient()
  useEffect(() => {
    const refetch = throttled(() => fetchAgain(client, { queryKey }), pause)
    const stops = [onChanges(refetch), onLargeChange(refetch)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client])
  const { data, ...query } = useInfiniteQuery({
    queryKey: [...queryKey, whose],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const of = whose === 'mine' ? { by: '@me' } : {}
      const page = { limit: pageSize, ...of, ...(pageParam === '' ? {} : { cursor: pageParam }) }
      const { answer, headers } = await call(gantry, 'GET /change', { query: page, signal }).withResponse()
      return { changes: answer, next: headers.get('x-next-cursor') ?? undefined }
    },
    getNextPageParam: page => page.next,
    // An undo that is refused changes nothing that could arrive by itself.
    refetchInterval: ({ state: { data: read } }) =>
      read?.pages.some(page => page.changes.some(each => isGoingOn(each.undoing))) ? pause : false,
  })
  const changes = useMemo((): ListedChange[] => {
    const all = data?.pages.flatMap(page => page.changes) ?? []
    // A page that was fetched before a new change may overlap with the next one.
    return [...new Map(all.map(each => [each.id, each])).values()]
  }, [data])
  return { ...query, error: shownError({ data, error: query.error }), changes, isLoaded: data !== undefined }
}
