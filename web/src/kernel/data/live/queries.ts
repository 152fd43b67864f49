import { isProblem } from '@gantry/sdk'
import {
  hashKey,
  type InvalidateQueryFilters,
  type Query,
  QueryCache,
  QueryClient,
  type QueryKey,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useRef, useSyncExternalStore } from 'react'
import { reached } from '../client.ts'
import { timeNow } from '../time-now.ts'
import { onChanges, onLargeChange, onNotice } from './live.ts'

// The answers of the service that the app holds, and how they are kept from missing a change.

const freshFor = 30_000 // ms, unless something changes

/** When an answer was asked for: what has changed since then it may lack. */
const asked = new WeakMap<object, number>()
const asking = new WeakMap<object, number>()
const askedAtOf = (query: object) => asked.get(query) ?? 0

export function openQueries(): QueryClient {
  let changedAt = 0
  const change = () => {
    changedAt = timeNow()
  }
  for (const listen of [onChanges, onLargeChange, onNotice]) listen(change)
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => fetchWhenReached(queries, error, query) }),
    defaultOptions: {
      queries: {
        // A list follows changes while it is shown. One that is shown again is fetched if there were any.
        staleTime: query => (changedAt > askedAtOf(query) ? 0 : freshFor),
        retry: false,
      },
    },
  })
  queries.getQueryCache().subscribe(({ type, query, ...event }) => {
    if (type !== 'updated' || !('action' in event)) return
    const { action } = event
    if (action.type === 'fetch') asking.set(query, timeNow())
    if (action.type !== 'success') return
    const at = action.manual ? action.dataUpdatedAt : asking.get(query)
    if (at !== undefined) asked.set(query, at)
  })
  return queries
}

const pause = 2000 // ms

/** What the service answers while it is too busy or cannot be reached. */
const passing = new Set([429, 502, 503, 504])

/**
 * Fetches what could not be fetched again until the service answers. The change that a list lacks is told only once, so it
 * would lack it until the next one.
 */
function fetchWhenReached(queries: QueryClient, error: Error, { state, queryKey }: Query<unknown, unknown>): void {
  if (state.data === undefined || (isProblem(error) && !passing.has(error.status))) return
  setTimeout(async () => {
    await reached()
    // One that nothing shows any more is fetched when it is shown.
    await queries.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false })
  }, pause)
}

/**
 * Fetches what is shown again, because something has changed. A query whose first answer is still on its way gives that one,
 * which may lack the change: it is asked once more.
 */
export async function fetchAgain(queries: QueryClient, filters: InvalidateQueryFilters = {}): Promise<void> {
  const isFirst = ({ state }: Query) => state.fetchStatus === 'fetching' && state.data === undefined
  const first = new Set(
    queries
      .getQueryCache()
      .findAll({ ...filters, type: 'active' })
      .filter(isFirst),
  )
  await queries.invalidateQueries(filters)
  if (first.size > 0) await queries.invalidateQueries({ predicate: query => first.has(query) })
}

/**
 * When the answers were asked for that are shown of a query, or of all queries whose keys begin with this one: of several the first. It
 * stays as it was while one of them has no answer yet.
 */
export function useAskedAt(queryKey: QueryKey): number {
  const cache = useQueryClient().getQueryCache()
  const last = useRef({ name: '', at: 0 })
  const name = hashKey(queryKey)
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache])
  return useSyncExternalStore(subscribe, () => {
    const before = last.current.name === name ? last.current.at : 0
    const all = cache.findAll({ queryKey })
    const active = all.filter(query => query.isActive())
    const shown = active.length > 0 ? active : all
    const isWaiting = shown.some(({ state }) => state.data === undefined)
    const times = shown.flatMap(query => (query.state.data === undefined ? [] : [askedAtOf(query)]))
    const at = times.length === 0 || (isWaiting && before > 0) ? before : Math.min(...times)
    last.current = { name, at }
    return at
  })
}
