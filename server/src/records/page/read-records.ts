import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { name, raw, sql } from '../../kernel/sql.ts'
import { selectRecords } from './select-records.ts'

/** Returns those of these records that the caller may see, deleted ones as well. They are read by one statement. */
export async function readRecords(
  ctx: Context,
  kind: Kind,
  ids: readonly Id[],
): Promise<Map<Id, Record<string, unknown>>> {
  const rows = await selectRecords(ctx, kind, {
    from: sql`from ${name(kind.table)} t
      where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[]) and ${kind.visible(ctx.caller, raw('t'))}`,
  })
  return new Map(rows.map(({ id, json }) => [id, JSON.parse(json)]))
}
