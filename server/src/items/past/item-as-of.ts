import type { Context } from '../../kernel/context.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { rowsAt } from '../../records/history/past.ts'
import { embeddedTime, times, visibleTimes } from '../../time/time.ts'
import { itemsAsOf, itemsAt } from './past.ts'

/** An item as it was at a moment, with its time entries, as JSON text; `which` is a condition on its present row (`p`). */
export async function findItemAsOf(ctx: Context, which: Sql, at: Date, deleted: boolean): Promise<string | undefined> {
  const t = raw('t')
  const entries = rowsAt(times, at, sql`p.item_id = t.id and ${visibleTimes(ctx.caller, raw('p'))}`)
  const [row] = await ctx.sql<{ json: string; times: string }>`select ${await itemsAsOf(at).jsonFor(ctx, t)} as json,
      coalesce((select json_agg(${embeddedTime}::json order by s.date, s.created, s.id) from ${entries} s where s.item_id = t.id and not s.deleted), '[]')::text as times
    from ${itemsAt(ctx, at, which)} t where ${deleted ? raw('true') : raw('not t.deleted')}`
  return row && `${row.json.slice(0, -1)},"Time":${row.times}}`
}
