import { allHeld, entityOf, isWatched, patch, put, remove, type Stored, watchStore } from '../records/store.ts'
import { onRightsChanged } from '../session/session.ts'
import { type LargeChange, type LiveChange, onChanges, onLargeChange } from './live.ts'

// Keeps the records of the store as the service has them.

/** Reads records of one kind by their ids; those that are gone, or may no longer be seen, are not in the answer. */
export type Reader = (ids: readonly string[]) => Promise<readonly Stored[]>

/** The readers of all kinds of records whose changes are followed. */
export type Readers = Record<string, Reader>

/** Patches records as changes arrive, and reads those again that cannot be patched. Returns what stops it. */
export function keepFresh(readers: Readers): () => void {
  const refresh = batched((entity, ids) => reread(readers[entity], entity, ids))
  watchStore({ outdated: refresh })
  const stops = [
    onChanges(changes => {
      for (const change of changes) follow(change, refresh)
    }),
    onLargeChange(change => startAnew(change, refresh)),
    // Whoever may see less, or more, sees it at once.
    onRightsChanged(() => startAnew({}, refresh)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function follow(change: LiveChange, refresh: (entity: string, id: string) => void): void {
  const { entity, recordId, version, changes, own, kind } = change
  // What this tab did it has from the answer, except where the answer has no records.
  if (own && version === undefined) return
  if (kind.endsWith('.deleted') || changes?.deleted?.to === true) remove(entity, recordId)
  else if (patch(entity, recordId, version, changes) === 'outdated') refresh(entityOf(entity), recordId)
}

/** Reads again what is on the screen; the rest is forgotten, and read when it is needed. */
function startAnew({ entities }: LargeChange, refresh: (entity: string, id: string) => void): void {
  for (const { entity, id, version } of allHeld()) {
    if (version === 0) continue // the service does not have it yet
    if (entities && !(entity in entities) && !(entityOf(entity) in entities)) continue
    if (isWatched(entity, id)) refresh(entityOf(entity), id)
    else remove(entity, id)
  }
}

const maxIds = 100

async function reread(read: Reader | undefined, entity: string, ids: readonly string[]): Promise<void> {
  if (!read) {
    // Nobody reads records of this kind again: a record that may be wrong is worse than none.
    for (const id of ids) if (!isWatched(entity, id)) remove(entity, id)
    return
  }
  for (let at = 0; at < ids.length; at += maxIds) {
    const asked = ids.slice(at, at + maxIds)
    const found = await read(asked).catch(() => undefined) // without an answer the record stays as it was
    if (!found) return
    for (const record of found) put(record, { whole: true })
    const there = new Set(found.map(({ id }) => id))
    for (const id of asked) if (!there.has(id)) remove(entity, id)
  }
}

const gatheredFor = 50 // ms

/** Gathers ids for a moment, and calls once for each kind. */
function batched(act: (entity: string, ids: readonly string[]) => Promise<void>) {
  const gathered = new Map<string, Set<string>>()
  const flush = () => {
    for (const [entity, ids] of gathered) void act(entity, [...ids])
    gathered.clear()
  }
  return (entity: string, id: string): void => {
    if (gathered.size === 0) setTimeout(flush, gatheredFor)
    gathered.set(entity, (gathered.get(entity) ?? new Set()).add(id))
  }
}
