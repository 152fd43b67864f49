import type { ChangeSetEvent, UndoConflict } from '../../engine/undo/reversal.ts'
import { type Undoer, undoRecords } from '../../engine/undo/undo.ts'
import type { Context } from '../../kernel/context.ts'
import { removeContainer, restoreContainer } from './container.ts'
import { countItems } from './container-items.ts'

/**
 * Undoes the deletion or the restoration of a container by its counterpart, because the set also contains items that
 * the caller may not see. A container that got other items since is left to the undo of each record, which refuses.
 */
export async function undoContainerDeletion(ctx: Context, events: readonly ChangeSetEvent[]): Promise<[] | undefined> {
  const of = (kind: string) => events.filter(each => each.kind === kind).map(each => each.recordId)
  const [deleted, restored] = [of('container.deleted'), of('container.restored')]
  const [containerId] = [...deleted, ...restored]
  if (!containerId || deleted.length + restored.length > 1) return undefined
  const along = deleted[0] ? 'item.deleted' : 'item.restored'
  const isPart = ({ kind, entity, recordId }: ChangeSetEvent) =>
    recordId === containerId || kind === along || entity === 'Change'
  if (!events.every(isPart)) return undefined
  if (deleted[0]) await restoreContainer(ctx, containerId)
  else if ((await countItems(ctx, containerId)) !== of('item.restored').length) return undefined
  else await removeContainer(ctx, containerId)
  return []
}

/** Undoes changes of containers; a restored one that got items since is not deleted again. */
export const undoContainers: Undoer = async (ctx, given, undo) => {
  const conflicts: UndoConflict[] = []
  for (const { entity, recordId, deleted } of given) {
    const current = deleted === false ? await countItems(ctx, recordId) : 0
    if (current > 0) conflicts.push({ entity, recordId, property: 'items', expected: 0, current })
  }
  return conflicts.length > 0 ? conflicts : await undoRecords(ctx, given, undo)
}
