import { useEffect, useState } from 'react'
import { useSession } from '../../../kernel/data/session/session.ts'
import type { Entry } from './thread.ts'

const placeOf = (itemId: string) => `seen ${itemId}`

/** The first message of somebody else that came after this person had last looked at the item. */
export function useLastSeen(itemId: string, entries: readonly Entry[]): string | undefined {
  const { user } = useSession()
  const [seen] = useState(() => localStorage.getItem(placeOf(itemId)))
  const last = entries.findLast(({ kind }) => kind === 'message')
  useEffect(() => {
    if (last) localStorage.setItem(placeOf(itemId), last.at)
  }, [itemId, last])
  if (!seen) return undefined
  return entries.find(entry => entry.kind === 'message' && entry.at > seen && entry.message.authorId !== user.id)?.id
}
