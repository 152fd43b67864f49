import { changeItems, type ItemChangeRequest, type ItemChangeResult } from '../../items/change/change.ts'
import type { Item } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { type Fault, fault, RuleBroken } from '../../kernel/refusal.ts'

/** The most items that one request moves. */
export const maxMoved = 500

/** Changes all items or none. The refusal names each item that cannot be changed, in the order of the requests, with its reason. */
export async function changeTogether(
  ctx: Context,
  wanted: readonly ItemChangeRequest[],
): Promise<(ItemChangeResult & { item: Item })[]> {
  const results = await changeItems(ctx, wanted)
  const refused = results.flatMap(({ id, refusal }, n) => (refusal ? [{ id, n, refusal }] : []))
  if (refused.length === 0) return results.flatMap(each => (each.item ? [{ ...each, item: each.item }] : []))
  throw new RuleBroken(
    'items-refused',
    `${refused.length} of ${wanted.length} items cannot be moved, so none is`,
    refused.map(({ id, n, refusal }): Fault => fault(['itemIds', n], refusal.code, refusal.message, id)),
    {
      refused: refused.map(({ id, refusal: { status, code, message, faults } }) => ({
        ...{ id, status, code, detail: message },
        Fields: faults,
      })),
    },
  )
}
