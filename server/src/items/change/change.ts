import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { findUnknown, unknownReferences } from '../../kernel/record/references.ts'
import { NotFound, Refusal } from '../../kernel/refusal.ts'
import { refusedByAreas } from '../item/area-place.ts'
import type { Item } from '../item/item.ts'
import { addTimes } from '../item/item-times.ts'
import type { ItemInput } from '../item-body/item-body.ts'
import { readTimes } from '../item-body/time-input.ts'
import type { ItemChange } from '../validation/item-change.ts'
import { type ValidatedWrite, validateAll, validateEach } from '../validation/validation.ts'
import type { ItemChangeRequest, ItemChangeResult } from './change-request.ts'
import { consequences } from './consequences.ts'
import { type ItemChangePlan, lockItems, planChange } from './plan.ts'
import { write } from './write.ts'

export type { ItemChangeRequest, ItemChangeResult, LockedItem } from './change-request.ts'
export { demandForce, forceQuery } from './force.ts'
export { refuseTogether } from './items-refused.ts'
export { lockItems, whyUnchangeable } from './plan.ts'

/** Applies a patch to one item; absent properties stay. Time entries are added, never removed. */
export async function changeItem(
  ctx: Context,
  id: Id,
  read: ItemInput,
  more: Omit<ItemChangeRequest, 'id' | 'read'> = {},
): Promise<Item> {
  const [changed] = await changeAll(ctx, [{ id, read, ...more }])
  if (!changed) throw new NotFound()
  read.warnings.push(...changed.warnings)
  return changed.item
}

/** Changes many items atomically and throws the first refusal. */
export async function changeAll(
  ctx: Context,
  wanted: readonly ItemChangeRequest[],
): Promise<(ItemChangeResult & { item: Item })[]> {
  const results = await change(ctx, wanted, (_rows, write) => validateAll(ctx, write))
  for (const { refusal } of results) if (refusal) throw refusal
  return results.flatMap(each => (each.item ? { ...each, item: each.item } : []))
}

/** Changes many items independently; the results have the order of the requests. */
export async function changeItems(ctx: Context, wanted: readonly ItemChangeRequest[]): Promise<ItemChangeResult[]> {
  return await change(ctx, wanted, (rows, write) => validateEach(ctx, rows, write))
}

type Validate = (
  rows: readonly ItemChangePlan[],
  write: (rows?: readonly ItemChangePlan[]) => Promise<ItemChange[]>,
) => Promise<ValidatedWrite>

/**
 * Locks all items by one statement and writes them by one, so that the number of round trips does not grow with the
 * number of items. Everything in between is computed here.
 */
async function change(
  ctx: Context,
  wanted: readonly ItemChangeRequest[],
  validate: Validate,
): Promise<ItemChangeResult[]> {
  const before = await lockItems(
    ctx,
    wanted.filter(each => !each.locked).map(each => each.id),
  )
  const plans: ItemChangePlan[] = []
  const refused = new Map<Id, Refusal>()
  for (const each of wanted) {
    try {
      plans.push(await planChange(ctx, each, each.locked ?? before.get(each.id.toLowerCase())))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.set(each.id.toLowerCase(), error)
    }
  }
  for (const [id, refusal] of await danglingReferences(ctx, plans)) refused.set(id, refusal)
  for (const [id, refusal] of await refusedByAreas(ctx, entries(plans))) if (!refused.has(id)) refused.set(id, refusal)
  const effective = plans.filter(each => each.changes !== undefined && !refused.has(each.id))
  const validated: ValidatedWrite =
    effective.length > 0
      ? await validate(effective, (rows = effective) => write(ctx, rows))
      : { accepted: [], refused, warnings: new Map() }
  if (validated.accepted.length > 0)
    for (const follow of consequences(ctx)) await follow(ctx, validated.accepted, changeAll)
  const now = new Map(validated.accepted.map(({ after }) => [after.id, after]))
  for (const { id, before: was, patch } of plans) {
    const item = now.get(id) ?? was
    if (patch.Time && !refused.has(id) && !validated.refused.has(id))
      await addTimes(ctx, item, await readTimes(ctx, patch.Time, item.containerId))
  }
  const planned = new Map(plans.map(each => [each.id, each]))
  return wanted.map(each => {
    const id = each.id.toLowerCase()
    const refusal = refused.get(id) ?? validated.refused.get(id)
    const warnings = validated.warnings.get(id) ?? []
    if (refusal) return { id, outcome: 'failed', refusal, warnings }
    const item = now.get(id) ?? planned.get(id)?.before
    return { id, ...(item ? { item } : {}), outcome: now.has(id) ? 'updated' : 'unchanged', warnings }
  })
}

/** The items that enter an area, or stay in it while they change the container. */
function entries(plans: readonly ItemChangePlan[]) {
  return plans
    .map(({ id, before, values }) => ({
      id,
      before,
      areaId: String(values.areaId),
      containerId: String(values.containerId),
    }))
    .filter(
      ({ before, areaId, containerId }) =>
        areaId !== '' && (areaId !== before.areaId || containerId !== before.containerId),
    )
}

async function danglingReferences(ctx: Context, plans: readonly ItemChangePlan[]): Promise<[Id, Refusal][]> {
  const all = plans.flatMap(({ id, references }) => references.map(each => ({ ...each, itemId: id })))
  const unknown = Map.groupBy(await findUnknown(ctx, all), each => each.itemId)
  return [...unknown].map(([id, group]) => [id, unknownReferences(group)])
}
