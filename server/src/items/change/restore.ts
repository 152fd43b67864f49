import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Item, items } from '../item/item.ts'
import { validateAll } from '../validation/validation.ts'

/** Restores a deleted item and validates it, because a unique value may be taken by now. */
export async function restoreItem(ctx: Context, id: Id): Promise<Item> {
  const before = await items.get(ctx, id, { deleted: true })
  const restored = await items.restore(ctx, id)
  if (before.deleted) await validateAll(ctx, async () => [{ before, after: restored, force: false }])
  return restored
}
