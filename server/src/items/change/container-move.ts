import { demand } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type ContainerPlace, containerFor } from '../container-place.ts'
import { takeNumbers } from '../create/item-numbers.ts'
import { holdContainer } from '../item/hold-container.ts'
import { type Item, items } from '../item/item.ts'
import type { ItemPatch } from '../item-body/item-body.ts'

/** The container that an item moves to, and the values that change with it. */
export interface ContainerMove {
  place: ContainerPlace
  values: Partial<Item>
}

/**
 * An item that moves gets a number and a key of its new container. It loses its area, its cycle and, if the new
 * container does not have it, its process.
 */
export async function containerMove(ctx: Context, before: Item, patch: ItemPatch): Promise<ContainerMove | undefined> {
  if (!patch.containerId || patch.containerId.toLowerCase() === before.containerId) return undefined
  const place = await containerFor(ctx, patch.containerId)
  demand(ctx.caller, items.permissions.create, { containerId: place.id, areaId: patch.areaId ?? null })
  await holdContainer(ctx, place.id)
  const number = await takeNumbers(ctx, place.id, 1)
  const keepsProcess = place.processIds.includes(before.processId)
  return {
    place,
    values: {
      containerId: place.id,
      number,
      key: `${place.key}-${number}`,
      areaId: patch.areaId ?? '',
      cycleId: patch.cycleId ?? '',
      processId: patch.processId ?? (keepsProcess ? before.processId : (place.defaultProcessId ?? '')),
    },
  }
}
