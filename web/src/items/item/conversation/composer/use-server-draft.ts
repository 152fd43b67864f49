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
  const { data: stored } = useQuery({
    queryKey: ['draft', itemId],
    queryFn: ({ signal }) => call(gantry, 'GET /item/{id}/draft', { path: { id: itemId }, signal }),
  })
  const [saved, setSaved] = useState<string>()
  const taken = useRef(false)
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
    const save = async () => {
      if (body === '') await call(gantry, 'DELETE /item/{id}/draft', { path: { id: itemId } })
      else await call(gantry, 'PUT /item/{id}/draft', { path: { id: itemId }, body: { kind, body } })
      setSaved(body)
    }
    timer.current = setTimeout(() => void save().catch(() => undefined), savedAfter)
    return () => clearTimeout(timer.current)
  }, [itemId, body, kind, saved])
  return {
    isSaved: saved === body,
    /** The text is sent: the service forgets its draft by itself. */
    stop: () => {
      clearTimeout(timer.current)
      setSaved('')
    },
  }
}
