import type { Context } from '../../kernel/context.ts'
import { append } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'

const batch = 500

/**
 * Items of an area that goes fall back to the area above it. Items are of a later room, which this one must not know, and
 * no item may ever point at an area that is no more; so it is done here, in the same transaction, for deleted items too.
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
    await append(
      ctx,
      moved.map(({ id }) => ({ kind: 'item.updated', entity: 'Item', recordId: id, changes })),
    )
    if (moved.length < batch) return
  }
}
