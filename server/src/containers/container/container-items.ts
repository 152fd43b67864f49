import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { type Sql, sql } from '../../kernel/sql.ts'

// The items of a deleted container are deleted with it, all of them, whoever may see them. This is plain SQL because this
// room must not import `items`, which is a higher one.

const batch = 500

/** Deletes the items of a container, and returns their number. The container must be locked. */
export async function deleteItems(ctx: Context, containerId: Id): Promise<number> {
  return await setDeleted(ctx, true, sql`i.container_id = ${containerId} and not i.deleted`)
}

/** Restores the items that were deleted together with their container, and returns their number. */
export async function restoreItems(ctx: Context, containerId: Id): Promise<number> {
  const { tenantId } = ctx.caller
  const [last] = await ctx.sql<{ changeSet: Id }>`select change_set_id as "changeSet" from event
    where tenant_id = ${tenantId} and record_id = ${containerId} and kind = 'container.deleted' order by xact desc, id desc limit 1`
  if (!last) return 0
  return await setDeleted(
    ctx,
    false,
    sql`i.container_id = ${containerId} and i.deleted and i.id in (select e.record_id from event e
      where e.tenant_id = ${tenantId} and e.change_set_id = ${last.changeSet} and e.kind = 'item.deleted')`,
  )
}

/** The number of items in a container that are not deleted. */
export async function countItems(ctx: Context, containerId: Id): Promise<number> {
  const [row] = await ctx.sql<{ items: number }>`select count(*)::int as items from item
    where tenant_id = ${ctx.caller.tenantId} and container_id = ${containerId} and not deleted`
  return row?.items ?? 0
}

async function setDeleted(ctx: Context, deleted: boolean, where: Sql): Promise<number> {
  const { tenantId, userId } = ctx.caller
  const kind = deleted ? 'item.deleted' : 'item.restored'
  const changes = { deleted: { from: !deleted, to: deleted } }
  for (let count = 0; ; ) {
    const changed = await ctx.sql<{
      id: Id
    }>`update item set deleted = ${deleted}, updated = ${ctx.now}, updated_by = ${userId}, version = version + 1
      where tenant_id = ${tenantId} and id in (select i.id from item i where i.tenant_id = ${tenantId} and ${where} order by i.id limit ${batch} for update)
      returning id`
    await appendEvents(
      ctx,
      changed.map(({ id }) => ({ kind, entity: 'Item', recordId: id, changes })),
    )
    count += changed.length
    if (changed.length < batch) return count
  }
}
