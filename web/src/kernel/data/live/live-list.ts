import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { entityOf } from '../records/store.ts'
import { type LargeChange, type LiveChange, onChanges, onLargeChange } from './live.ts'
import { fetchAgain } from './queries.ts'

/** What a list depends on. */
export interface Concerns {
  entity: string
  /** The container whose records the list has; undefined if it has those of all. */
  containerId?: string | undefined
  /** The properties in its conditions, sort and grouping; undefined if any property may matter. */
  properties?: readonly string[] | undefined
}

/** Whether a change may add, remove or move a record of a list. */
export function concerns(change: LiveChange, { entity, containerId, properties }: Concerns): boolean {
  if (entityOf(change.entity) !== entityOf(entity)) return false
  const moved = change.changes?.containerId
  const places = [change.containerId, moved?.from, moved?.to].filter(each => each !== undefined)
  if (containerId && places.length > 0 && !places.includes(containerId)) return false
  if (!change.kind.endsWith('.updated') || !change.changes || !properties) return true
  const changed = Object.keys(change.changes)
  return changed.some(each => each === 'containerId' || each === 'deleted' || properties.includes(each))
}

/** Whether a large change may concern a list. */
export function concernsAtLarge({ entities, containerIds }: LargeChange, list: Concerns): boolean {
  if (!entities) return true
  if (!Object.keys(entities).some(each => entityOf(each) === entityOf(list.entity))) return false
  return !list.containerId || !containerIds || containerIds.includes(list.containerId)
}

const interval = 500 // ms: at most two refetches a second

/**
 * Calls at once, then at most every half second, and not before the last call is over: a list that takes longer than that to fetch would never
 * arrive while others work in it. A call that was held back is made up for.
 */
export function throttled(act: () => unknown, every = interval): () => void {
  let waiting = false
  let missed = false
  const start = () => {
    waiting = true
    missed = false
    let open = 2
    const over = () => {
      open--
      if (open > 0) return
      if (missed) start()
      else waiting = false
    }
    setTimeout(over, every)
    const acting = act()
    if (acting instanceof Promise) void acting.finally(over)
    else over()
  }
  return () => {
    if (waiting) missed = true
    else start()
  }
}

/** Fetches a list again when a change concerns it. Its records are kept fresh without that. */
export function useLiveList(queryKey: QueryKey, list: Concerns): void {
  const client = useQueryClient()
  const name = JSON.stringify([queryKey, list])
  const [key, its] = useMemo<[QueryKey, Concerns]>(() => JSON.parse(name), [name]) // the caller makes new objects each time
  useEffect(() => {
    const refetch = throttled(() => fetchAgain(client, { queryKey: key }))
    const stops = [
      onChanges(changes => changes.some(change => concerns(change, its)) && refetch()),
      onLargeChange(change => concernsAtLarge(change, its) && refetch()),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client, key, its])
}
