import {
  changeItems,
  type ItemChangeRequest,
  type ItemChangeResult,
  refuseTogether,
} from '../../items/change/change.ts'
import type { Item } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'

/** The most items that one request moves. */
export const maxMoved = 500

/** Changes all items or none. The refusal names each item that cannot be changed. */
export async function changeTogether(
  ctx: Context,
  wanted: readonly ItemChangeRequest[],
): Promise<(ItemChangeResult & { item: Item })[]> {
  const results = await changeItems(ctx, wanted)
  refuseTogether(results, 'moved')
  return results.flatMap(each => (each.item ? [{ ...each, item: each.item }] : []))
}
