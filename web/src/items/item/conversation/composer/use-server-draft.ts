import { call } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { gantry } from '../../../../kernel/data/client.ts'

const savedAfter = 1000 // ms without a key

/** Keeps the unsent text on the service, so that it waits on every device, and brings back the one that is there. */
export function useServerDraft(
  itemId: string,
  body: string,
  kind: number,
  onFound: (draft: { kind: number; body: string }) => void,
) {
  const { data, isFetchedAfterMount } = useQuery({
    queryKey: ['draft', itemId],
    staleTime: 0,
    queryFn: ({ signal }) => call(gantry, 'GET /item/{id}/draft', { path: { id: itemId }, signal }),
  })
  // What the service had when the item was opened before may have been sent.
  const stored = isFetchedAfterMount ? data : undefined
  const [saved, setSaved] = useState<string>()
  const taken = useRef(false)
  const inTurn = useInTurn()
  const sent = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const found = useRef(onFound)
  found.current = onFound
  useEffect(() => {
    if (!stored || taken.current) return
    taken.current = true
    if (stored.body !== '' && body === '') found.current({ kind: stored.kind, body: stored.body })
    setSaved(stored.body)
  }, [stored, body])
  useEffect(() => {
    if (saved === undefined || body === saved) return
    const round = sent.current
    const save = async () => {
      if (sent.current !== round) return
      if (body === '') await remove(itemId)
      else await call(gantry, 'PUT /item/{id}/draft', { path: { id: itemId }, body: { kind, body } })
      if (sent.current === round) setSaved(body)
    }
    timer.current = setTimeout(() => inTurn.add(save), savedAfter)
    return () => clearTimeout(timer.current)
  }, [itemId, body, kind, saved, inTurn])
  return {
    isSaved: saved === body,
    /** The text is sent: the service forgets its draft by itself, except one that is still on its way. */
    stop: () => {
      clearTimeout(timer.current)
      sent.current++
      setSaved('')
      if (inTurn.isBusy()) inTurn.add(() => remove(itemId))
    },
  }
}

const remove = (itemId: string) => call(gantry, 'DELETE /item/{id}/draft', { path: { id: itemId } })

/** Does one thing after another; what fails is left. */
function useInTurn() {
  return useState(() => {
    let last = Promise.resolve()
    let waiting = 0
    return {
      isBusy: () => waiting > 0,
      add: (act: () => PromiseLike<unknown>) => {
        waiting++
        last = last
          .then(act)
          .catch(() => undefined)
          .then(() => {
            waiting--
          })
      },
    }
  })[0]
}
