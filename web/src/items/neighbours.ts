import type { Item } from '@gantry/sdk'
import { useEffect } from 'react'
import { focus } from './focus.ts'
import { heldItem } from './held-item.ts'

let seen: readonly string[] = []

/** Keeps the order of the list that is shown: an item that is opened from it knows what comes before and after it. */
export function useKeepOrder(ids: readonly string[]): void {
  useEffect(() => {
    if (ids.length > 0) seen = ids
  }, [ids])
}

/** The item that many places further in the list that was shown last; undefined where that list does not have both. */
export function neighbourOf(id: string, by: number): Item | undefined {
  const at = seen.indexOf(id)
  const next = at < 0 ? undefined : seen[at + by]
  return next === undefined ? undefined : heldItem(next)
}

/** The same, and the list stands on it when one comes back. */
export function goToNeighbour(id: string, by: number): Item | undefined {
  const next = neighbourOf(id, by)
  if (next) focus(next.id)
  return next
}
