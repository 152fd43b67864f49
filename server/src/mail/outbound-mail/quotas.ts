import type { Context } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { join, name, nothing, sql } from '../../kernel/sql.ts'

interface Quota {
  /** 0 about one item · 1 in the whole tenant. */
  scope?: number
  count?: number
  minutes?: number
}

const usual: readonly Required<Quota>[] = [
  ...[
    [10, 10],
    [15, 30],
    [25, 60],
    [50, 180],
    [100, 600],
  ].map(([count = 0, minutes = 0]) => ({ scope: 0, count, minutes })),
  ...[
    [30, 10],
    [60, 30],
    [120, 60],
    [240, 180],
    [360, 600],
  ].map(([count = 0, minutes = 0]) => ({ scope: 1, count, minutes })),
]

/** Why no more mail may be sent by itself for now; nothing, if it may. What loops ends here. */
export async function overQuota(ctx: Context, own: readonly Quota[], itemId: Id): Promise<string | undefined> {
  const quotas = (own.length > 0 ? own : usual).filter(({ scope = 0 }) => scope === 1 || (scope === 0 && itemId !== ''))
  if (quotas.length === 0) return undefined
  const counts = quotas.map(({ scope = 0, minutes = 0 }, i) => {
    const since = new Date(ctx.now.getTime() - minutes * 60_000)
    return sql`count(*) filter (where created > ${since} ${scope === 0 ? sql`and item_id = ${itemId}` : nothing})::int as ${name(`c${i}`)}`
  })
  const longest = Math.max(...quotas.map(({ minutes = 0 }) => minutes))
  const [row] = await ctx.sql<Record<string, number>>`select ${join(counts)} from outbound_mail
    where tenant_id = ${ctx.caller.tenantId} and auto and state not in (4, 5) and purpose <> 4 and created > ${new Date(ctx.now.getTime() - longest * 60_000)}`
  const full = quotas.find(({ count = 0 }, i) => (row?.[`c${i}`] ?? 0) >= count)
  return (
    full &&
    `the quota is used up: ${full.count} mails in ${full.minutes} minutes ${full.scope === 1 ? 'for the tenant' : 'about one item'}`
  )
}
