import type { ChangeSetEvent } from '../../engine/undo/reversal.ts'
import { type Undoer, undoRecords } from '../../engine/undo/undo.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { labels, mergeInto, removeLabel, restoreLabel } from './label.ts'
import { keepNames } from './label-names.ts'

/**
 * Undoes the deletion, the merge or the restoration of a label by its counterpart: it also concerns items that are
 * deleted or that the caller does not see.
 */
export async function undoLabelDeletion(ctx: Context, events: readonly ChangeSetEvent[]): Promise<[] | undefined> {
  const of = (kind: string) => events.filter(each => each.kind === kind)
  const [deleted, restored] = [of('label.deleted'), of('label.restored')]
  const [label] = [...deleted, ...restored]
  if (!label || deleted.length + restored.length > 1 || !events.every(isPart)) return undefined
  if (deleted.length > 0) await restoreLabel(ctx, label.recordId)
  else await deleteAgain(ctx, label.recordId, of('label.updated')[0]?.recordId)
  return []
}

/** Whether an event is a part of deleting or merging a label: the label, the other one’s aliases, the labels of items. */
function isPart({ entity, kind, changes }: ChangeSetEvent): boolean {
  const names = Object.keys(changes)
  if (entity === 'Item') return names.every(each => each === 'labels' || each === 'Tags')
  if (kind === 'label.updated') return names.every(each => each === 'aliases')
  return entity === 'Label' || entity === 'Change'
}

/** The restoration took names from another label if the label had been merged into that one. */
async function deleteAgain(ctx: Context, id: Id, mergedInto: Id | undefined): Promise<void> {
  const other = mergedInto && (await labels.find(ctx, mergedInto, { lock: true }))
  if (other) await mergeInto(ctx, await labels.get(ctx, id, { lock: true }), other)
  else await removeLabel(ctx, id)
}

/**
 * Undoes changes of labels, with the names by which they are found. Labels that were created together with an item are
 * deleted when its creation is undone, unless other items carry them by now.
 */
export const undoLabels: Undoer = async (ctx, given, undo) => {
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<{ id: Id }>`select distinct label_id as id from item_label
    where tenant_id = ${tenantId} and label_id = any(${given.map(each => each.recordId)}::uuid[])`
  const used = new Set(rows.map(row => row.id))
  const unused = given.filter(each => !(each.created && used.has(each.recordId)))
  return await undoRecords(ctx, unused, undo, async id => {
    const label = await labels.find(ctx, id)
    if (label) await keepNames(ctx, label)
    else await ctx.sql`delete from label_name where tenant_id = ${tenantId} and label_id = ${id}`
  })
}
