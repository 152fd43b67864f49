import { isDeepStrictEqual } from 'node:util'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'

/** One event of a change set, as far as taking it back is concerned. */
export interface ChangeSetEvent {
  kind: string
  entity: string
  recordId: Id
  changes: Changes
}

/** What a change set did to one record, all in all. */
export interface Reversal {
  entity: string
  recordId: Id
  /** It was made by the set. */
  created: boolean
  /** It was deleted (`true`) or restored (`false`) by the set. */
  deleted: boolean | undefined
  /** The properties that the set changed: what they were before its first change and after its last. */
  properties: Map<string, { from: unknown; to: unknown }>
}

/** What one must take back, the last record first. What ended as it began is nothing to take back. */
export function reversals(events: readonly ChangeSetEvent[]): Reversal[] {
  const byRecord = new Map<string, Reversal>()
  for (const { kind, entity, recordId, changes } of events) {
    const key = `${entity} ${recordId}`
    const known = byRecord.get(key)
    const reversal = known ?? {
      entity,
      recordId,
      created: kind.endsWith('.created'),
      deleted: undefined,
      properties: new Map(),
    }
    byRecord.delete(key)
    byRecord.set(key, reversal)
    for (const [property, { from, to }] of Object.entries(changes)) {
      if (property === 'deleted') reversal.deleted = to === true
      else reversal.properties.set(property, { from: (reversal.properties.get(property) ?? { from }).from, to })
    }
  }
  for (const { properties } of byRecord.values())
    for (const [property, { from, to }] of properties) if (isDeepStrictEqual(from, to)) properties.delete(property)
  return [...byRecord.values()].reverse()
}

/** Something that stands in the way: somebody changed the same since, or the record cannot be reached. */
export interface UndoConflict {
  entity: string
  recordId: Id
  property: string
  /** What the set had made of it, and what it is now. */
  expected?: unknown
  current?: unknown
}

/** Which of these properties are no longer what the set made of them. */
export function changedSince(
  { entity, recordId, properties }: Reversal,
  current: (property: string) => unknown,
): UndoConflict[] {
  return [...properties].flatMap(([property, { to }]) => {
    const now = current(property)
    const same = isDeepStrictEqual(now ?? null, to ?? null)
    return same ? [] : [{ entity, recordId, property, expected: to, current: now }]
  })
}
