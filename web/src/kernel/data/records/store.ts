import { useCallback, useSyncExternalStore } from 'react'

// Every record is held once, whatever lists and pages show it. A component subscribes to one record, so that a change renders one row.

/** A record of the service. */
export interface Stored {
  id: string
  entity: string
  version?: number
}

/** What somebody has entered and the service has not confirmed yet. */
export type Values = Record<string, unknown>

/** The properties that an event names, as they were and as they are. */
export type Changes = Record<string, { from?: unknown; to?: unknown }>

interface Entry {
  /** As the service has it; undefined if only pending values are known. */
  base: Stored | undefined
  pending: readonly Values[]
  /** The base with the pending values on it. */
  shown: Stored | undefined
}

const entries = new Map<string, Entry>()
const listeners = new Map<string, Set<() => void>>()

/** Tickets are items: both names lead to one record. */
export const entityOf = (entity: string) => (entity === 'Ticket' ? 'Item' : entity)
const nameOf = (entity: string, id: string) => `${entityOf(entity)} ${id}`

/** Records whose other properties are older than their version: `put` found a newer version with fewer properties. */
const outdated = new Set<string>()

let onOutdated: (entity: string, id: string) => void = () => undefined
let onStored: (record: Stored) => void = () => undefined

/** Says who reads a record again, and who keeps records for later; the app has one of each. */
export function watchStore(watchers: { outdated?: typeof onOutdated; stored?: typeof onStored }): void {
  onOutdated = watchers.outdated ?? onOutdated
  onStored = watchers.stored ?? onStored
}

function store(name: string, base: Stored | undefined, pending: readonly Values[]): void {
  if (!base && pending.length === 0) entries.delete(name)
  else {
    const shown = base && (pending.length > 0 ? Object.assign({}, base, ...pending) : base)
    entries.set(name, { base, pending, shown })
  }
  for (const listener of listeners.get(name) ?? []) listener()
}

/**
 * Keeps what the service answered. An answer that is older than what is known changes nothing. A list answers fewer properties than a page:
 * the others stay as they were, and are read again if the version says that they may have changed. `whole` answers are not asked for again.
 */
export function put(record: Stored, { whole = false } = {}): void {
  const name = nameOf(record.entity, record.id)
  const known = entries.get(name)
  const version = known?.base?.version ?? 0
  if (record.version !== undefined && record.version < version) return
  const base = known?.base ? { ...known.base, ...record } : record
  store(name, base, known?.pending ?? [])
  onStored(base)
  if (whole) outdated.delete(name)
  else if (known?.base && (record.version ?? version) > version && lacks(record, known.base)) {
    outdated.add(name)
    if (listeners.has(name)) onOutdated(entityOf(record.entity), record.id)
  }
}

const lacks = (record: Stored, known: Stored) => Object.keys(known).some(property => !(property in record))

/** What `patch` did: the record has the change; had it already; is not held; or has to be read again. */
export type Patched = 'patched' | 'known' | 'unknown' | 'outdated'

/** Applies the change that an event tells, if the record that is held is the one just before it. */
export function patch(entity: string, id: string, version: number | undefined, changes: Changes | undefined): Patched {
  const name = nameOf(entity, id)
  const base = entries.get(name)?.base
  if (!base) return 'unknown'
  if (version !== undefined && base.version !== undefined && base.version >= version) return 'known'
  if (!changes || version === undefined || base.version !== version - 1 || !fits(base, changes)) return 'outdated'
  const values = Object.entries(changes).flatMap(([property, { to }]) => (property in base ? [[property, to]] : []))
  const next = { ...base, ...Object.fromEntries(values), version }
  store(name, next, entries.get(name)?.pending ?? [])
  onStored(next)
  return 'patched'
}

/** A part of a property (`Field.0190…`), or one from which the service derives others, cannot be set from outside. */
function fits(base: Stored, changes: Changes): boolean {
  return Object.keys(changes).every(property => {
    const [head = ''] = property.split('.')
    return head === property ? !(`${property}Html` in base) : !(head in base)
  })
}

/** Takes a record away: it was deleted, or may no longer be seen. */
export function remove(entity: string, id: string): void {
  const name = nameOf(entity, id)
  outdated.delete(name)
  store(name, undefined, entries.get(name)?.pending ?? [])
}

/** Shows values before the service has them, until the returned function takes them away. */
export function paint(entity: string, id: string, values: Values): () => void {
  const name = nameOf(entity, id)
  store(name, entries.get(name)?.base, [...(entries.get(name)?.pending ?? []), values])
  return () => {
    const now = entries.get(name)
    if (!now) return
    store(
      name,
      now.base,
      now.pending.filter(each => each !== values),
    )
  }
}

/** The record as the service has it. */
export const baseOf = (entity: string, id: string): Stored | undefined => entries.get(nameOf(entity, id))?.base

/** The record as it is shown. */
export const shown = (entity: string, id: string): Stored | undefined => entries.get(nameOf(entity, id))?.shown

/** Whether something on the screen shows the record. */
export const isWatched = (entity: string, id: string): boolean => listeners.has(nameOf(entity, id))

/** All records that are held, as the service has them. */
export const allHeld = (): Stored[] => [...entries.values()].flatMap(({ base }) => (base ? [base] : []))

export function useRecord<T extends { id: string }>(entity: string, id: string): T | undefined {
  const name = nameOf(entity, id)
  const subscribe = useCallback((listener: () => void) => listen(name, listener), [name])
  // The caller names the type of the records of this entity.
  return useSyncExternalStore(subscribe, () => entries.get(name)?.shown) as T | undefined
}

/** Calls back when the record changes, until the returned function is called. */
export function listenTo(entity: string, id: string, listener: () => void): () => void {
  return listen(nameOf(entity, id), listener)
}

function listen(name: string, listener: () => void): () => void {
  const those = listeners.get(name) ?? new Set()
  listeners.set(name, those.add(listener))
  const base = entries.get(name)?.base
  if (base && outdated.has(name)) onOutdated(entityOf(base.entity), base.id)
  return () => {
    those.delete(listener)
    if (those.size === 0 && listeners.get(name) === those) listeners.delete(name)
  }
}

export function clear(): void {
  const names = [...entries.keys()]
  entries.clear()
  outdated.clear()
  for (const name of names) for (const listener of listeners.get(name) ?? []) listener()
}
