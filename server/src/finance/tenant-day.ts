import type { Context } from '../kernel/context.ts'

/** The current day in the time zone of the tenant, on which dated amounts depend. */
export async function tenantToday(ctx: Context): Promise<string> {
  const [row] = await ctx.sql<{ today: string }>`
    select (${ctx.now}::timestamptz at time zone coalesce(nullif(timezone, ''), 'UTC'))::date::text as today
    from tenant where tenant_id = ${ctx.caller.tenantId}`
  return row?.today ?? ctx.now.toISOString().slice(0, 10)
}
