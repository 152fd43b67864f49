import type { Context } from '../context.ts'
import { name, planned, sql, unprepared } from '../sql.ts'
import type { Listing } from './listing.ts'

/** Counts the rows of a list exactly. */
export async function countRows(ctx: Context, listing: Listing): Promise<number> {
  if (!listing.counted) return await countUpTo(ctx, listing, undefined)
  const [row] = await ctx.sql<{ count: number }>`select (${listing.counted})::int as count`
  return row?.count ?? 0
}

async function countUpTo(ctx: Context, listing: Listing, max: number | undefined): Promise<number> {
  const { resource, where, from = name(resource.table) } = listing
  const statement =
    max === undefined
      ? sql`select count(*)::int as count from ${from} t where ${where}`
      : sql`select count(*)::int as count from (select 1 from ${from} t where ${where} limit ${max}) c`
  const [row] = await ctx.sql<{ count: number }>`${planned(statement, listing.planned)}`
  return row?.count ?? 0
}

/** Up to this number of rows an estimate is an exact count. */
const maxCounted = 1000

/** Counts few rows, and takes the planner's estimate for more, whose cost does not depend on their number. */
export async function estimateRows(
  ctx: Context,
  listing: Listing,
): Promise<{ count: number; kind: 'exact' | 'estimate' }> {
  const counted = await countUpTo(ctx, listing, maxCounted + 1)
  if (counted <= maxCounted) return { count: counted, kind: 'exact' }
  const { resource, where, from = name(resource.table) } = listing
  const [row] = await ctx.sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`${unprepared(
    sql`explain (format json) select 1 from ${from} t where ${where}`,
  )}`
  return { count: Math.max(counted, Math.round(row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0)), kind: 'estimate' }
}
