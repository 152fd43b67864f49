import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { isConnectionFault } from '../../kernel/postgres/sql-state.ts'
import { itemLock, updateItemClocks } from './update-item-clocks.ts'

/** Crossings of one tenant at a time: few enough that the next tenant does not wait for long. */
const batchSize = 100

/**
 * Updates the clocks that cross a threshold by the passing of time. The index on `next_at` finds them; tenants take turns
 * with a batch each, until none has any left. After a crash the rest is still due.
 */
export function crossThresholds(database: Database, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'cross-thresholds',
    every: 2000,
    async run(signal) {
      for (;;) {
        const due = await database.crossTenantSql<{ tenantId: Id }>`with recursive tenants as (
            (select tenant_id from item_clock where next_at is not null order by tenant_id limit 1)
            union all select (select c.tenant_id from item_clock c where c.next_at is not null and c.tenant_id > t.tenant_id order by c.tenant_id limit 1) from tenants t where t.tenant_id is not null)
          select t.tenant_id as "tenantId" from tenants t where t.tenant_id is not null
            and exists (select 1 from item_clock c where c.tenant_id = t.tenant_id and c.next_at <= ${now()})`
        let crossed = 0
        for (const { tenantId } of due) {
          signal.throwIfAborted()
          crossed += await crossBatch(database, tenantId, now())
        }
        if (crossed === 0) return // none is left, or other processes have locked them
      }
    },
  }
}

/** How long an item waits whose update failed. */
const retryDelay = 600_000

async function crossBatch(database: Database, tenantId: Id, now: Date): Promise<number> {
  const service = tenantCaller(tenantId)
  try {
    return await database.transaction(service, async ctx => await updateItemClocks(ctx, await lockDue(ctx)), { now })
  } catch (error) {
    if (isConnectionFault(error)) throw error
  }
  // An item that fails must not block the others, so each gets a transaction of its own.
  const ids = await database.single(service, ctx => dueIds(ctx), { now })
  let crossed = 0
  for (const id of ids) {
    try {
      crossed += await database.transaction(service, ctx => updateItemClocks(ctx, [id]), { now })
    } catch (error) {
      if (isConnectionFault(error)) throw error
      await database.single(
        service,
        ctx => ctx.sql`update item_clock set next_at = ${new Date(now.getTime() + retryDelay)}
          where tenant_id = ${tenantId} and item_id = ${id} and next_at <= ${now}`,
        { now },
      )
    }
  }
  return crossed
}

async function dueIds(ctx: Context): Promise<Id[]> {
  const rows = await ctx.sql<{ itemId: Id }>`select item_id as "itemId" from item_clock
    where tenant_id = ${ctx.caller.tenantId} and next_at <= ${ctx.now} order by next_at limit ${batchSize}`
  return [...new Set(rows.map(each => each.itemId))]
}

/** The due items that no other process is updating. */
async function lockDue(ctx: Context): Promise<Id[]> {
  const rows = await ctx.sql<{ id: Id }>`with due as materialized (select unnest(${await dueIds(ctx)}::text[]) as id)
    select id from due where pg_try_advisory_xact_lock(${itemLock})`
  return rows.map(each => each.id)
}
