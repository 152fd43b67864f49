import { isDeepStrictEqual } from 'node:util'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'

/** One event of a change set, with the properties that undo needs. */
export interface ChangeSetEvent {
  kind: string
  entity: string
  recordId: Id
  changes: Changes
}

/** An undo while it runs: the change set that is undone, and what could not be taken back. */
export interface OngoingUndo {
  id: Id
  warnings: string[]
}

/** The net effect of a change set on one record. */
export interface Reversal {
  entity: string
  recordId: Id
  /** The change set created the record. */
  created: boolean
  /** The change set deleted (`true`) or restored (`false`) the record. */
  deleted: boolean | undefined
  /** The properties that the set changed, with their values before its first change and after its last. */
  properties: Map<string, { from: unknown; to: unknown }>
}

/** Events that tell what became of an item by the change of another one, or as days pass: there is nothing to undo. */
export const consequences: readonly string[] = [
  'item.blocked',
  'item.unblocked',
  'item.childrenClosed',
  'item.dueSoon',
  'item.overdue',
]

/** Returns what has to be undone, the last record first. Records that ended as they began are left out. */
export function reversals(events: readonly ChangeSetEvent[]): Reversal[] {
  const byRecord = new Map<string, Reversal>()
  for (const { kind, entity, recordId, changes } of events) {
    if (consequences.includes(kind)) continue
    const key = `${entity} ${recordId}`
    const known = byRecord.get(key)
    const reversal = known ?? {
      entity,
      recordId,
      created: isCreation(kind, changes),
      deleted: undefined,
      properties: new Map(),
    }
    // A new record keeps its place: what was created later may belong to it, whatever was told of it afterwards.
    if (!reversal.created) byRecord.delete(key)
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

/** Annotations are created by other verbs, too; publishing one has the same verb, and an old value. */
function isCreation(kind: string, changes: Changes): boolean {
  const verb = kind.slice(kind.lastIndexOf('.') + 1)
  if (verb === 'created') return true
  return ['replied', 'requesterReplied'].includes(verb) && Object.values(changes).every(each => !('from' in each))
}

/**
 * The reason why a record cannot be undone: somebody changed the same property since, or the record is out of reach.
 */
export interface UndoConflict {
  entity: string
  recordId: Id
  property: string
  /** The value that the set had written, and the current value. */
  expected?: unknown
  current?: unknown
}

/** Returns the properties whose current value is no longer the one that the set wrote. */
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
