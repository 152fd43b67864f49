import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'

/** Records how a store answered; `error` is empty after a success. */
export async function recordHealth(ctx: Context, storageId: Id, error = ''): Promise<void> {
  const failed = error !== ''
  await ctx.sql`insert into outbound_storage_state as h (tenant_id, storage_id, last_ok, last_error, failed_at)
    values (${ctx.caller.tenantId}, ${storageId}, ${failed ? null : ctx.now}, ${error.slice(0, 500)}, ${failed ? ctx.now : null})
    on conflict (tenant_id, storage_id) do update set last_ok = coalesce(excluded.last_ok, h.last_ok),
      last_error = excluded.last_error, failed_at = coalesce(excluded.failed_at, h.failed_at)`
}
