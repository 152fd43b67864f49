import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { useConnection } from '../client.ts'
import { put, type Stored, watchStore } from '../records/store.ts'
import { timeNow } from '../time-now.ts'
import { allKept, emptyShelves, forgetMany, keep, kept } from './shelves.ts'

// Records and lists of the last week are kept in the browser: the next start shows them at once, and they can be read without a network.

interface Kept<T> {
  at: number
  value: T
}

interface KeptList {
  key: QueryKey
  data: unknown
  /** The build of the app that made it: another one may expect another shape. */
  build: string
}

const week = 7 * 86_400_000
const maxRecords = 5000
const writtenAfter = 1000 // ms
const build = () => document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? ''

/** Shows what was kept, and keeps what arrives from now on. */
export async function keepForOffline(queries: QueryClient): Promise<void> {
  await Promise.all([showRecords(timeNow()), showLists(queries, timeNow())])
  keepRecords()
  keepLists(queries)
  forgetAtEnd()
}

/** When the service no longer knows this browser, nothing is left here to be read without it. What the person has typed stays for the next sign-in. */
function forgetAtEnd(): void {
  useConnection.subscribe((now, before) => {
    if (now.signedOut && !before.signedOut) void emptyShelves(['records', 'lists', 'session'])
  })
}

async function showRecords(now: number): Promise<void> {
  const all = await allKept<Kept<Stored>>('records')
  const newest = all.sort(([, one], [, other]) => other.at - one.at)
  const old = newest.filter(([, { at }], place) => at < now - week || place >= maxRecords)
  await forgetMany(
    'records',
    old.map(([key]) => key),
  )
  for (const [, { value }] of newest.slice(0, newest.length - old.length)) put(value)
}

async function showLists(queries: QueryClient, now: number): Promise<void> {
  const all = await allKept<Kept<KeptList>>('lists')
  const old = all.filter(([, each]) => isOld(each, now))
  await forgetMany(
    'lists',
    old.map(([key]) => key),
  )
  // Given as old, so that each is fetched when it is shown.
  for (const [, each] of all)
    if (!isOld(each, now) && queries.getQueryData(each.value.key) === undefined)
      queries.setQueryData(each.value.key, each.value.data, { updatedAt: 1 })
}

const isOld = ({ at, value }: Kept<KeptList>, now: number) => at < now - week || value.build !== build()

/** A list that was kept under this name. */
export async function keptList<T>(key: QueryKey): Promise<T | undefined> {
  const found = await kept<Kept<KeptList>>('lists', hashKey(key))
  return found && !isOld(found, timeNow()) ? (found.value.data as T) : undefined // each name has lists of one type
}

/** Keeps a list that is no query. */
export function keepList(key: QueryKey, data: unknown, at = timeNow()): void {
  const value: KeptList = { key, data, build: build() }
  void keep('lists', [[hashKey(key), { at, value }]])
}

function keepRecords(): void {
  const changed = new Map<string, Stored>()
  const write = () => {
    const at = timeNow()
    if (useConnection.getState().signedOut) changed.clear()
    void keep(
      'records',
      [...changed].map(([key, value]) => [key, { at, value }] as const),
    )
    changed.clear()
  }
  window.addEventListener('pagehide', write)
  watchStore({
    stored: record => {
      // Version 0 is a record that the service does not have yet.
      if (record.version === 0) return
      if (changed.size === 0) setTimeout(write, writtenAfter)
      changed.set(`${record.entity} ${record.id}`, record)
    },
  })
}

function keepLists(queries: QueryClient): void {
  queries.getQueryCache().subscribe(event => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
    const { queryKey, state } = event.query
    keepList(queryKey, state.data, state.dataUpdatedAt)
  })
}
