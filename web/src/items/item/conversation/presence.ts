import { call } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { gantry } from '../../../kernel/data/client.ts'

const everyMs = 15_000 // the service forgets people after 30 seconds

/** Who else looks at the item or writes a reply. Says the same about this person. */
export function usePresence(itemId: string, isReplying: boolean) {
  const state = isReplying ? 'replying' : 'viewing'
  const now = useRef<'replying' | 'viewing'>(state)
  now.current = state
  const { data, refetch } = useQuery({
    queryKey: ['viewing', itemId],
    refetchInterval: everyMs,
    queryFn: ({ signal }) =>
      call(gantry, 'PUT /item/{id}/viewing', { path: { id: itemId }, body: { state: now.current }, signal }),
  })
  const told = useRef(state)
  useEffect(() => {
    if (told.current === state) return
    told.current = state
    void refetch()
  }, [state, refetch])
  useEffect(
    () => () => {
      void call(gantry, 'DELETE /item/{id}/viewing', { path: { id: itemId } }).catch(() => undefined)
    },
    [itemId],
  )
  return data?.others ?? []
}
