import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { name, raw, sql } from '../../kernel/sql.ts'

const t = raw('t')

/** Returns those of these records that the caller may see, deleted ones as well. They are read by one statement. */
export async function readRecords(
  ctx: Context,
  kind: Kind,
  ids: readonly Id[],
): Promise<Map<Id, Record<string, unknown>>> {
  const parts = await kind.inParts(ctx)
  const chosen = sql`from ${name(kind.table)} t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[]) and ${kind.visible(ctx.caller, t)}`
  const rows = await ctx.sql<{ id: Id; json: string }>`${
    parts
      ? sql`with page as materialized (select ${parts.head} as json, ${parts.columns} ${chosen}) select page.json, ${parts.selected} from page`
      : sql`select t.id, ${await kind.jsonFor(ctx, t)} as json ${chosen}`
  }`
  const ends = (await parts?.ends(ctx, rows)) ?? []
  return new Map(rows.map(({ id, json }, i) => [id, JSON.parse(json + (ends[i] ?? ''))]))
}
