import type { TProperties } from 'typebox'
import { demand } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import type { Stored } from '../../kernel/record/record.ts'
import { builtOn } from './built-on.ts'
import { hostsBroughtBack } from './hosts-brought-back.ts'
import { changedSince, type OngoingUndo, type Reversal, type UndoConflict } from './reversal.ts'

/**
 * Undoes changes to a kind that is stored as one row per record: its create, update, remove and restore reverse each
 * other.
 */
export async function undoRecords(
  ctx: Context,
  given: readonly Reversal[],
  { id }: OngoingUndo,
  /** What the kind stores beside its row, its secrets included, brought in line after each record. */
  follow?: (recordId: Id, reversal: Reversal) => Promise<void>,
): Promise<UndoConflict[]> {
  const conflicts: UndoConflict[] = []
  const kept = Map.groupBy(await builtOn(ctx, given, id), each => each.recordId)
  for (const reversal of given) {
    const { entity, recordId } = reversal
    const kind = kindNamed(entity)
    const record = await kind?.find(ctx, recordId, { deleted: true, lock: true })
    if (!kind || !record) conflicts.push({ entity, recordId, property: 'id' })
    else if (reversal.created) {
      if (record.deleted) continue
      demandVerb(ctx, kind, 'delete')
      const since = kept.get(recordId)
      if (since) conflicts.push(...since)
      else {
        await kind.remove(ctx, recordId)
        await follow?.(recordId, reversal)
      }
    } else {
      const hosts = follow ? [] : hostsBroughtBack(record, reversal)
      const since =
        hosts.length > 0
          ? hosts.map(property => ({ entity, recordId, property }))
          : await undoChange(ctx, kind, record, reversal)
      conflicts.push(...since)
      if (since.length === 0) await follow?.(recordId, reversal)
    }
  }
  return conflicts
}

/**
 * Demands the permission with which the usual operations of the kind are admitted. That of kinds with a place is demanded where a
 * record is written, at its place.
 */
function demandVerb({ caller }: Context, kind: Kind, verb: 'update' | 'delete'): void {
  if (!kind.place) demand(caller, kind.permissions[verb])
}

async function undoChange(
  ctx: Context,
  kind: Kind,
  record: Stored<TProperties>,
  reversal: Reversal,
): Promise<UndoConflict[]> {
  const { entity, recordId, deleted, properties } = reversal
  demandVerb(ctx, kind, deleted === undefined ? 'update' : 'delete')
  for (const property of properties.keys()) if (!kind.byProperty.has(property)) properties.delete(property)
  // What the caller does not see is put back, too, and is in no conflict, which would show it.
  const conflicts = changedSince(reversal, property => Reflect.get(record, property)).filter(each =>
    Object.hasOwn(record, each.property),
  )
  if (deleted !== undefined && deleted !== record.deleted)
    conflicts.push({ entity, recordId, property: 'deleted', expected: deleted, current: record.deleted })
  if (conflicts.length > 0) return conflicts
  if (deleted === true) await kind.restore(ctx, recordId)
  const values = Object.fromEntries([...properties].map(([property, { from }]) => [property, from]))
  if (Object.keys(values).length > 0) await kind.update(ctx, recordId, values)
  if (deleted === false) await kind.remove(ctx, recordId)
  return []
}
