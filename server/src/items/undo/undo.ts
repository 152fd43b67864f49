import { builtOn } from '../../engine/undo/built-on.ts'
import { changedSince, type Reversal, type UndoConflict } from '../../engine/undo/reversal.ts'
import type { Undoer } from '../../engine/undo/undo.ts'
import { demand } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import type { LockedItem } from '../change/change-request.ts'
import { type ItemChangePlan, lockItems } from '../change/plan.ts'
import { write } from '../change/write.ts'
import { containerFor } from '../container-place.ts'
import { refuseUnwritable } from '../fields/field-rights.ts'
import { anyField, readFields, valueRows } from '../fields/fields.ts'
import { holdContainer } from '../item/hold-container.ts'
import { items } from '../item/item.ts'

/**
 * Reverts changes of items exactly, including the number and key of a previous container. The result is not validated,
 * because it was valid before. All items are written by one statement.
 */
export const undoItems: Undoer = async (ctx, given, { id: changeSetId }) => {
  const conflicts: UndoConflict[] = []
  const kept = Map.groupBy(await builtOn(ctx, given, changeSetId), each => each.recordId)
  for (const { entity, recordId, created: made, deleted } of given) {
    if (!made && deleted === undefined) continue
    const item = await items.find(ctx, recordId, { deleted: true, lock: true })
    if (!item) conflicts.push({ entity, recordId, property: 'id' })
    else if (made) {
      if (item.deleted) continue
      const since = kept.get(recordId)
      if (since) conflicts.push(...since)
      else await items.remove(ctx, recordId)
    } else if (item.deleted !== deleted)
      conflicts.push({ entity, recordId, property: 'deleted', expected: deleted, current: item.deleted })
    else if (deleted) await items.restore(ctx, recordId)
  }
  const changed = given.filter(each => !each.created && each.properties.size > 0)
  conflicts.push(...(await undoChanges(ctx, changed)))
  for (const { recordId, created: made, deleted } of given)
    if (!made && deleted === false && conflicts.length === 0) await items.remove(ctx, recordId)
  return conflicts
}

async function undoChanges(ctx: Context, given: readonly Reversal[]): Promise<UndoConflict[]> {
  const now = await lockItems(
    ctx,
    given.map(each => each.recordId),
  )
  const conflicts: UndoConflict[] = []
  const plans: ItemChangePlan[] = []
  for (const reversal of given) {
    const { entity, recordId, properties } = reversal
    for (const property of properties.keys()) if (!isKept(property)) properties.delete(property)
    const known = now.get(recordId)
    if (!known) conflicts.push({ entity, recordId, property: 'id' })
    else {
      const since = changedSince(reversal, property => nowIn(known, property))
      if (since.length > 0) conflicts.push(...since)
      else if (properties.size > 0) plans.push(await planBack(ctx, known, reversal))
    }
  }
  if (conflicts.length === 0 && plans.length > 0) await write(ctx, plans)
  return conflicts
}

/** Whether an item stores the property; events also contain derived values. */
const isKept = (property: string) => property.startsWith('Field.') || items.byProperty.has(property)

function nowIn({ item, fields }: LockedItem, property: string): unknown {
  return property.startsWith('Field.') ? fields[property.slice(6)] : Reflect.get(item, property)
}

async function planBack(
  ctx: Context,
  { item: before, fields: stored }: LockedItem,
  { properties }: Reversal,
): Promise<ItemChangePlan> {
  await items.demand(ctx, 'update', before)
  const values: Record<string, unknown> = { ...before }
  const fields = { ...stored }
  const touched: Id[] = []
  const changes: Changes = {}
  for (const [property, { from, to }] of properties) {
    changes[property] = { from: to, to: from }
    if (!property.startsWith('Field.')) values[property] = from
    else {
      const id = property.slice(6)
      touched.push(id)
      if (from === null || from === undefined) delete fields[id]
      else fields[id] = from
    }
  }
  await refuseUnwritable(
    ctx,
    { place: { ...before, itemId: before.id }, itemId: before.id, values: { ...values, createdBy: before.createdBy } },
    Object.keys(changes),
  )
  const again = touched.filter(id => id in fields).map(id => ({ fieldId: id, value: fields[id] }))
  const place = properties.has('containerId') ? await containerFor(ctx, String(values.containerId)) : undefined
  if (place) await holdContainer(ctx, place.id)
  if (properties.has('containerId') || properties.has('areaId'))
    demand(ctx.caller, items.permissions.update, { ...values, itemId: before.id })
  return {
    id: before.id,
    before,
    patch: {},
    values,
    fields,
    touched: { ids: touched, rows: valueRows(await readFields(ctx, again, { setOf: async () => anyField }, [])) },
    references: [],
    arrival: place && { place, values: {} },
    changes,
    force: true,
  }
}
