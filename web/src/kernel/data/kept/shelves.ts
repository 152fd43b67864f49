import { clear, createStore, del, delMany, entries, get, promisifyRequest, type UseStore } from 'idb-keyval'

// What this browser keeps for a person of a tenant, so that a reload or a closed tab loses nothing. It is wiped at the sign-out.

export type Shelf = 'drafts' | 'outbox' | 'records' | 'lists' | 'session'

let owner = ''
const opened = new Map<string, UseStore>()

/** Names the person whose shelves are used from now on. */
export function keepFor(tenantId: string, userId: string): void {
  owner = `${tenantId}.${userId}`
}

function shelfOf(shelf: Shelf): UseStore | undefined {
  // The session is what says whose the other shelves are.
  if (typeof indexedDB === 'undefined' || (owner === '' && shelf !== 'session')) return undefined
  return storeOf(shelf === 'session' ? 'gantry.session' : `gantry.${shelf}.${owner}`)
}

function storeOf(name: string): UseStore {
  const store = opened.get(name) ?? createStore(name, 'rows')
  opened.set(name, store)
  return store
}

/** Browsers that keep nothing, such as private windows, still run the app. */
async function quietly<T>(shelf: Shelf, act: (store: UseStore) => Promise<T>): Promise<T | undefined> {
  const store = shelfOf(shelf)
  return store && act(store).catch(() => undefined)
}

export const kept = <T>(shelf: Shelf, key: string): Promise<T | undefined> =>
  quietly(shelf, store => get<T>(key, store))

export const allKept = async <T>(shelf: Shelf): Promise<[string, T][]> =>
  (await quietly(shelf, store => entries<string, T>(store))) ?? []

/** Keeps values. The transaction is committed at once: a page that is left right now does not wait for answers. */
export const keep = (shelf: Shelf, values: readonly (readonly [string, unknown])[]): Promise<void> =>
  quietly(shelf, store =>
    store('readwrite', rows => {
      for (const [key, value] of values) rows.put(value, key)
      rows.transaction.commit()
      return promisifyRequest(rows.transaction)
    }),
  )

export const forget = (shelf: Shelf, key: string): Promise<void> => quietly(shelf, store => del(key, store))

export const forgetMany = (shelf: Shelf, keys: string[]): Promise<void> => quietly(shelf, store => delMany(keys, store))

/** Empties some shelves of this person. */
export async function emptyShelves(shelves: readonly Shelf[]): Promise<void> {
  await Promise.all(shelves.map(shelf => quietly(shelf, store => clear(store))))
}

/** Empties all shelves of all people in this browser. Databases that other tabs have open cannot be deleted, only emptied. */
export async function wipeShelves(): Promise<void> {
  if (typeof indexedDB === 'undefined') return
  const known = await indexedDB.databases().catch(() => [])
  const names = known.flatMap(({ name }) => (name?.startsWith('gantry.') ? [name] : []))
  await Promise.all(names.map(name => clear(storeOf(name)).catch(() => undefined)))
}
