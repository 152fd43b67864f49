import { quotasOf } from '../../admin/tenant/tenant.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { join, name, nothing, sql } from '../../kernel/sql.ts'
import { quotaScope } from '../mail-general.ts'
import { defaultStrangersPerDay } from '../strangers.ts'
import { mailPurpose, mailState, type OutboundMail } from './outbound-mail.ts'

interface Quota {
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
  ].map(([count = 0, minutes = 0]) => ({ scope: quotaScope.item, count, minutes })),
  ...[
    [30, 10],
    [60, 30],
    [120, 60],
    [240, 180],
    [360, 600],
  ].map(([count = 0, minutes = 0]) => ({ scope: quotaScope.tenant, count, minutes })),
]

const usedUp = 'the quota is used up'

/** Tells whether a mail was suppressed because an automatic quota was used up. */
export function isOverQuota({ state: now, lastError }: Pick<OutboundMail, 'state' | 'lastError'>): boolean {
  return now === mailState.suppressed && lastError.startsWith(usedUp)
}

/** Returns which quota of automatic mails is used up, or undefined if none is. This stops mail loops. */
export async function exceededQuota(ctx: Context, own: readonly Quota[], itemId: Id): Promise<string | undefined> {
  const quotas = (own.length > 0 ? own : usual).filter(
    ({ scope = 0 }) => scope === quotaScope.tenant || (scope === quotaScope.item && itemId !== ''),
  )
  if (quotas.length === 0) return undefined
  const counts = quotas.map(({ scope = 0, minutes = 0 }, i) => {
    const since = new Date(ctx.now.getTime() - minutes * 60_000)
    return sql`count(*) filter (where created > ${since} ${scope === quotaScope.item ? sql`and item_id = ${itemId}` : nothing})::int as ${name(`c${i}`)}`
  })
  const longest = Math.max(...quotas.map(({ minutes = 0 }) => minutes))
  const [row] = await ctx.sql<Record<string, number>>`select ${join(counts)} from outbound_mail
    where tenant_id = ${ctx.caller.tenantId} and auto and state not in (${mailState.suppressed}, ${mailState.cancelled}) and purpose <> ${mailPurpose.notification} and created > ${new Date(ctx.now.getTime() - longest * 60_000)}`
  const full = quotas.find(({ count = 0 }, i) => (row?.[`c${i}`] ?? 0) >= count)
  return (
    full &&
    `${usedUp}: ${full.count} mails in ${full.minutes} minutes ${full.scope === quotaScope.tenant ? 'for the tenant' : 'about one item'}`
  )
}

const day = 24 * 3600 * 1000
/** Returns the remaining and the total daily allowance of mails to strangers. Concurrent transactions may exceed it slightly. */
export async function strangerAllowance(ctx: Context): Promise<{ left: number; limit: number }> {
  const limit = (await quotasOf(ctx)).strangerMailsPerDay || defaultStrangersPerDay
  const [row] = await ctx.sql<{ used: number }>`select coalesce(sum(strangers), 0)::int as used from outbound_mail
    where tenant_id = ${ctx.caller.tenantId} and strangers > 0 and state not in (${mailState.suppressed}, ${mailState.cancelled}) and created > ${new Date(ctx.now.getTime() - day)}`
  return { left: Math.max(0, limit - (row?.used ?? 0)), limit }
}
