import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'

const batch = 500

/**
 * Moves the items of a deleted area to its parent. No item, deleted ones included, may point at a deleted area, so this
 * runs in the same transaction. It is plain SQL because this room must not import `items`, which is a higher one.
 */
export async function moveItems(ctx: Context, from: Id, to: Id): Promise<void> {
  const { tenantId, userId } = ctx.caller
  const parent = to === '' ? null : to
  for (;;) {
    const moved = await ctx.sql<{
      id: Id
    }>`update item set area_id = ${parent}, updated = ${ctx.now}, updated_by = ${userId}, version = version + 1
      where tenant_id = ${tenantId} and id in (select id from item where tenant_id = ${tenantId} and area_id = ${from} order by id limit ${batch} for update)
      returning id`
    const changes = { areaId: { from, to } }
    await appendEvents(
      ctx,
      moved.map(({ id }) => ({ kind: 'item.updated', entity: 'Item', recordId: id, changes })),
    )
    if (moved.length < batch) return
  }
}
