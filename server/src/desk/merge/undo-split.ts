import { builtOn } from '../../engine/undo/built-on.ts'
import { type ChangeSetEvent, type OngoingUndo, reversals, type UndoConflict } from '../../engine/undo/reversal.ts'
import { undoRecords } from '../../engine/undo/undo.ts'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { sql } from '../../kernel/sql.ts'
import { moveAnnotations } from '../annotation/move-annotations.ts'

/**
 * Undoes a split as a whole: the annotations return to the first item, and the new one is deleted. Whoever may split an
 * item may undo it; the permission to delete items is not needed, because nothing of the new item is lost.
 */
export async function undoSplit(
  ctx: Context,
  events: readonly ChangeSetEvent[],
  undo: OngoingUndo,
): Promise<UndoConflict[] | undefined> {
  const [event, ...more] = events.filter(each => each.kind === 'item.split' && each.changes.splitOff !== undefined)
  if (!event || more.length > 0) return undefined
  const [sourceId, newId] = [event.recordId, String(event.changes.splitOff?.to)]
  for (const id of [sourceId, newId]) {
    const item = await items.find(ctx, id, { lock: true })
    if (!item) return [{ entity: items.entity, recordId: id, property: 'id' }]
    await items.demand(ctx, 'update', item)
  }
  const all = reversals(events)
  const creation = all.filter(each => each.entity === items.entity && each.recordId === newId)
  const conflicts = await builtOn(ctx, creation, undo.id)
  if (conflicts.length > 0) return conflicts
  const system = withSystemAuthority(ctx)
  await moveAnnotations(system, {
    where: sql`t.id = any(${movedTo(newId, events)}::uuid[]) and t.item_id = ${newId}`,
    to: sourceId,
    mergedFrom: before => before.mergedFrom,
  })
  const links = all.filter(each => each.entity === 'Link')
  const left = await undoRecords(system, links, undo)
  if (left.length === 0) await items.remove(system, newId)
  return left
}

function movedTo(itemId: Id, events: readonly ChangeSetEvent[]): Id[] {
  return events.flatMap(({ entity, recordId, changes }) =>
    entity === 'Annotation' && changes.itemId?.to === itemId ? [recordId] : [],
  )
}
