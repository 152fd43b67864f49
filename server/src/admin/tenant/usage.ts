import type { Context } from '../../kernel/context.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { name, type Sql, sql, unprepared } from '../../kernel/sql.ts'
import { type Quotas, quotasOf } from './quotas.ts'

/** The usage of a tenant, and its quotas. */
export interface TenantUsage {
  users: number
  apiKeys: number
  storageBytes: number
  items: number
  events: number
  /** The names of the figures that are estimates. */
  estimated: string[]
  quotas: Quotas
}

const figure: Schema = { type: 'integer' }

export const usageSchema: Schema = {
  type: 'object',
  properties: {
    users: { ...figure, description: 'Active users.' },
    apiKeys: { ...figure, description: 'Keys that are neither revoked nor expired.' },
    storageBytes: { ...figure, description: 'Bytes of the files that are not deleted.' },
    items: { ...figure, description: 'Items that are not deleted.' },
    events: { ...figure, description: 'Entries of the log.' },
    estimated: {
      type: 'array',
      items: { type: 'string' },
      description: 'Figures beyond ten thousand that PostgreSQL estimates instead of counting.',
    },
    quotas: { type: 'object', description: 'The limits of the tenant; 0 or absent means no limit.' },
  },
  required: ['users', 'apiKeys', 'storageBytes', 'items', 'events', 'estimated', 'quotas'],
}

/**
 * The usage of the caller's tenant. The cost does not grow with the tenant: users and keys are few, bytes are summed up on
 * every write of a file, and items and events are counted up to ten thousand and then estimated by the planner.
 */
export async function usageOf(ctx: Context): Promise<TenantUsage> {
  const { tenantId } = ctx.caller
  const [few] = await ctx.sql<{ users: number; apiKeys: number; storageBytes: number }>`select
    (select count(*)::int from "user" where tenant_id = ${tenantId} and active and not deleted) as users,
    (select count(*)::int from api_key where tenant_id = ${tenantId} and not deleted and (expires_at is null or expires_at > ${ctx.now})) as "apiKeys",
    coalesce((select storage_bytes from tenant_usage where tenant_id = ${tenantId}), 0) as "storageBytes"`
  const items = await countOrEstimate(ctx, 'item', sql`not t.deleted`)
  const events = await countOrEstimate(ctx, 'event', sql`true`)
  return {
    ...(few ?? { users: 0, apiKeys: 0, storageBytes: 0 }),
    items: items.count,
    events: events.count,
    estimated: [...(items.exact ? [] : ['items']), ...(events.exact ? [] : ['events'])],
    quotas: await quotasOf(ctx),
  }
}

const countedUpTo = 10_000

async function countOrEstimate(ctx: Context, table: string, where: Sql): Promise<{ count: number; exact: boolean }> {
  const rows = sql`from ${name(table)} t where t.tenant_id = ${ctx.caller.tenantId} and ${where}`
  const [few] = await ctx.sql<{
    count: number
  }>`select count(*)::int as count from (select 1 ${rows} limit ${countedUpTo + 1}) f`
  const count = few?.count ?? 0
  if (count <= countedUpTo) return { count, exact: true }
  const [plan] = await ctx.sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`${unprepared(
    sql`explain (format json) select 1 ${rows}`,
  )}`
  return { count: Math.max(count, Math.round(plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0)), exact: false }
}
