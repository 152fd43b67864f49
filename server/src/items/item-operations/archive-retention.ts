import type { RetentionRule } from '../../engine/retention/retention.ts'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import type { Id } from '../../kernel/id.ts'
import { items } from '../item/item.ts'

/** Archived items that have not been changed for long are deleted; they can be restored until deleted records are removed. */
export const archiveRetention: RetentionRule = {
  name: 'archivedItem',
  days: 'archivedDays',
  async remove(ctx, before, limit) {
    const rows = await ctx.sql<{ id: Id }>`select id from item
      where tenant_id = ${ctx.caller.tenantId} and archived and not deleted and updated < ${before} limit ${limit}`
    for (const { id } of rows) await items.remove(withSystemAuthority(ctx), id)
    return rows.length
  },
}
