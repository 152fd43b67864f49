import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { Count, Part } from '../../kernel/schema/values.ts'

/** The limits of a tenant; 0 or absent means no limit, or the default where there is one. */
export const quotaShape = Part({
  users: Count(),
  storageBytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  apiKeys: Count(),
  itemsPerMinute: Count(),
  requestsPerMinute: Count(),
  strangerMailsPerDay: Count(),
})

export interface Quotas {
  users?: number
  storageBytes?: number
  apiKeys?: number
  itemsPerMinute?: number
  /** Counted before the request is authorised. 0 means the limit of the installation. */
  requestsPerMinute?: number
  /** Automatic mail to addresses that belong to no user. 0 means the default of 1,000. */
  strangerMailsPerDay?: number
}

/** The quotas of the caller's tenant, cached for some seconds, so that tenants without quotas pay no query per write. */
export async function quotasOf(ctx: Context): Promise<Quotas> {
  const { tenantId } = ctx.caller
  const known = await remembered(ctx, 'quotas', async () => {
    const [row] = await ctx.sql<{ quotas: Quotas }>`select quotas from tenant where tenant_id = ${tenantId}`
    return row?.quotas
  })
  return known ?? {}
}

/** The current usage per quota; the caller holds the lock of the quota. */
const usageQueries = {
  users: (ctx: Context) =>
    ctx.sql<{
      used: number
    }>`select count(*)::int as used from "user" where tenant_id = ${ctx.caller.tenantId} and active and not deleted`,
  apiKeys: (ctx: Context) =>
    ctx.sql<{
      used: number
    }>`select count(*)::int as used from api_key where tenant_id = ${ctx.caller.tenantId} and not deleted and (expires_at is null or expires_at > ${ctx.now})`,
  storageBytes: (ctx: Context) =>
    // An upload under way has reserved what it will need.
    ctx.sql<{
      used: number
    }>`select coalesce((select storage_bytes from tenant_usage where tenant_id = ${ctx.caller.tenantId}), 0) + coalesce((
      select sum(length) from file_upload where tenant_id = ${ctx.caller.tenantId} and not finished and expires_at > ${ctx.now}), 0)::bigint as used`,
}

const quotaLabels = { users: 'active users', apiKeys: 'API keys', storageBytes: 'bytes of files' }

/** Refuses a write beyond the tenant's quota. A lock makes concurrent writes wait, so that each of them is counted. */
export async function enforceQuota(ctx: Context, quota: keyof typeof usageQueries, more = 1): Promise<void> {
  const limit = (await quotasOf(ctx))[quota] ?? 0
  if (limit === 0) return
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`quota ${ctx.caller.tenantId} ${quota}`}, 0))`
  const [row] = await usageQueries[quota](ctx)
  const used = row?.used ?? 0
  if (used + more > limit)
    throw new RuleBroken('quota', `the quota of the tenant is ${limit} ${quotaLabels[quota]}; ${used} are in use`, [], {
      quota,
      limit,
      used,
    })
}

const minute = 60_000
/** How long a process reuses a count, in milliseconds; it adds its own writes to the count. */
const cacheMs = 1000
const counted = new Map<Id, { at: number; used: number }>()

/** Refuses items beyond the tenant's rate. The count is approximate: concurrent requests may exceed the limit slightly. */
export async function enforceWriteRate(ctx: Context, more: number): Promise<void> {
  const limit = (await quotasOf(ctx)).itemsPerMinute ?? 0
  if (limit === 0) return
  const { tenantId } = ctx.caller
  let count = counted.get(tenantId)
  if (!count || Date.now() - count.at > cacheMs || count.used + more > limit) {
    count = { at: Date.now(), used: await itemsCreatedSince(ctx, new Date(ctx.now.getTime() - minute), limit) }
    if (counted.size > 10_000) counted.clear()
    counted.set(tenantId, count)
  }
  if (count.used + more > limit)
    throw new Refusal(429, 'quota', `the quota of the tenant is ${limit} items a minute; ${count.used} were created`, {
      extra: { quota: 'itemsPerMinute', limit, used: count.used },
      headers: { 'retry-after': '10' },
    })
  count.used += more
}

/** Ids begin with their creation time, so the primary key finds recent items. The count stops at the limit. */
async function itemsCreatedSince(ctx: Context, since: Date, limit: number): Promise<number> {
  const time = since.getTime().toString(16).padStart(12, '0')
  const first = `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
  const [row] = await ctx.sql<{ used: number }>`select count(*)::int as used from (
    select 1 from item where tenant_id = ${ctx.caller.tenantId} and id >= ${first}::uuid limit ${limit}) i`
  return row?.used ?? 0
}
