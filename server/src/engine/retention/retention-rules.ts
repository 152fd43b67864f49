import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { name, ownTenant } from '../../kernel/sql.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { allowForgetting } from '../audit-chain/audit-chain.ts'
import type { RetentionRule } from './retention.ts'

/** Deletes records for good, with everything that belongs to them. Bytes without a row are deleted by `sweep-files`. */
export async function purge(ctx: Context, table: string, ids: readonly Id[]): Promise<number> {
  if (ids.length > 0) await ctx.sql`call purge(${table}::regclass, ${ids}::uuid[])`
  return ids.length
}

/** Records of this table that were deleted long enough ago. */
export function deletedRecords(table: string): RetentionRule {
  return {
    name: table,
    days: 'deletedDays',
    async remove(ctx, before, limit) {
      const rows = await ctx.sql<{ id: Id }>`select id from ${name(table)} r
        where r.tenant_id = ${ctx.caller.tenantId} and r.deleted and r.updated < ${before} limit ${limit}`
      return await purge(ctx, table, idsOf(rows))
    },
  }
}

/** Deleted items, with their annotations, links and files. An item with time that counts stays. */
export const deletedItems: RetentionRule = {
  name: 'item',
  days: 'deletedDays',
  async remove(ctx, before, limit) {
    const { tenantId } = ctx.caller
    const ids = idsOf(
      await ctx.sql<{
        id: Id
      }>`select i.id from item i where i.tenant_id = ${tenantId} and i.deleted and i.updated < ${before}
        and not exists (select 1 from time t where t.tenant_id = ${ownTenant} and t.item_id = i.id and not t.deleted) limit ${limit}`,
    )
    const files = await ctx.sql<{ id: Id }>`select id from file where tenant_id = ${tenantId} and (
      owner = ${ownerKind.item} and owner_id = any(${ids}::text[]) or owner = ${ownerKind.annotation} and owner_id in (
        select a.id::text from annotation a where a.tenant_id = ${tenantId} and a.item_id = any(${ids}::uuid[])))`
    await purge(ctx, 'file', idsOf(files))
    return await purge(ctx, 'item', ids)
  },
}

const idsOf = (rows: readonly { id: Id }[]) => rows.map(({ id }) => id)

/** Events and audit entries. The chain of hashes allows the deletion of what it has sealed before. */
export const logRetention: RetentionRule = {
  name: 'log',
  days: 'eventDays',
  async remove(ctx, before, limit) {
    const last = await allowForgetting(ctx, before)
    if (!last) return 0
    const [row] = await ctx.sql<{ count: number }>`select forget_log(${last.xact}::xid8, ${last.id}, ${limit}) as count`
    return row?.count ?? 0
  },
}
