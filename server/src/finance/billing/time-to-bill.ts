import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { customerTimes, isBillable, places } from '../billable-time.ts'
import { type Rounding, roundingPer } from '../rounding.ts'
import type { BillEntry } from './billed-units.ts'
import { groupOf, type LineGroup } from './line-groups.ts'

/** What a document is to be made of. */
export interface DraftRequest {
  crmId: Id
  from?: string | null
  to: string
  containerIds?: readonly Id[]
  groupBy: number
}

/** The states of a time entry that billing distinguishes. */
export const timeState = { draft: 0, logged: 1, submitted: 2, rejected: 4, invoiced: 5 } as const

/** An entry as it is read for billing. */
export interface TimeToBill extends BillEntry {
  state: number
  jobRoleId: Id | ''
  currency: string
  /** When it was booked, in seconds. */
  created: number
}

const t = raw('t')

/** The billable entries of a customer that are on no document, as far as the caller sees them. */
export async function openIds(
  ctx: Context,
  customerIds: readonly Id[],
  { from, to, containerIds }: DraftRequest,
): Promise<Id[]> {
  const rows = await ctx.sql<{ id: Id }>`select t.id from ${customerTimes(customerIds)} ${places}
    where t.tenant_id = ${ctx.caller.tenantId} and ${isBillable} and t.invoice_id is null
      and t.effective_date between ${from ?? '0001-01-01'}::date and ${to}::date and ${inContainers(containerIds)} and ${kind('Time').visible(ctx.caller, t)}
    order by t.id`
  return rows.map(row => row.id)
}

function inContainers(ids: readonly Id[] | undefined): Sql {
  return ids ? sql`t.container_id = any(${ids}::uuid[])` : raw('true')
}

/** Locks entries until the transaction ends, and returns those that are still on no document. */
export async function lockOpen(ctx: Context, ids: readonly Id[]): Promise<Id[]> {
  const rows = await ctx.sql<{ id: Id }>`select t.id from time t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[]) and not t.deleted and t.invoice_id is null order by t.id for update of t`
  return rows.map(row => row.id)
}

/** Reads entries with what documents other than `invoiceId` have billed of them. */
export async function readTimes(
  ctx: Context,
  ids: readonly Id[],
  { groupBy, invoiceId, fresh }: { groupBy: number; invoiceId: Id | null; fresh: boolean },
): Promise<TimeToBill[]> {
  if (ids.length === 0) return []
  const rows = await ctx.sql<Omit<TimeToBill, 'group' | 'fresh'> & Record<string, unknown>>`
    select t.id, t.user_id as "userId", coalesce(t.item_id::text, '') as "itemId", coalesce(t.container_id::text, '') as "containerId",
      coalesce(t.job_role_id::text, '') as "jobRoleId", t.effective_date::text as date, t.seconds, coalesce(t.corrects_id, t.id) as "chainId",
      t.state, t.bill_rate::text as price, t.currency, extract(epoch from t.created)::float8 as created,
      coalesce(b.billed, 0)::int as billed, coalesce(b.charged, 0)::int as charged, coalesce(b.line, '') as "lineId"
    from time t left join (
      select e.time_id, sum(e.billed_seconds) as billed, sum(e.charged_seconds) as charged, max(e.line_id) filter (where not e.adjusts) as line
      from invoice_entry e where e.tenant_id = ${ctx.caller.tenantId} and e.time_id = any(${ids}::uuid[]) and not e.released and e.invoice_id is distinct from ${invoiceId}::uuid
      group by e.time_id) b on b.time_id = t.id
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[])`
  return rows.map(row => ({ ...row, fresh, group: groupOf(row, groupBy as LineGroup) }))
}

/** The entries of a customer that other documents hold, up to a day: a contract is charged with all of them. */
export async function billedIds(
  ctx: Context,
  customerIds: readonly Id[],
  { from, to, invoiceId }: { from: string; to: string; invoiceId: Id | null },
): Promise<Id[]> {
  const rows = await ctx.sql<{ id: Id }>`select t.id from ${customerTimes(customerIds)}
    where t.tenant_id = ${ctx.caller.tenantId} and t.invoice_id is distinct from ${invoiceId}::uuid and t.invoice_id is not null
      and t.effective_date between ${from}::date and ${to}::date`
  return rows.map(row => row.id)
}

/** The entries on other documents that share a unit with one of these: a chain of corrections, a day, or a line. */
export async function relatedIds(
  ctx: Context,
  fresh: readonly TimeToBill[],
  policy: (containerId: Id | '') => Rounding,
  invoiceId: Id | null,
): Promise<Id[]> {
  const { tenantId } = ctx.caller
  const chains = [...new Set(fresh.filter(each => each.chainId !== each.id).map(each => each.chainId))]
  const days = fresh.flatMap(({ userId, itemId, containerId, date }) =>
    policy(containerId).per === roundingPer.day ? [{ userId, itemId: itemId || null, date }] : [],
  )
  if (chains.length === 0 && days.length === 0) return []
  const isOther = sql`t.invoice_id is not null and t.invoice_id is distinct from ${invoiceId}::uuid`
  const rows = await ctx.sql<{ id: Id }>`
    with chain as (
      select t.id from time t where t.tenant_id = ${tenantId} and (t.id = any(${chains}::uuid[]) or t.corrects_id = any(${chains}::uuid[])) and ${isOther})
    select id from chain
    union select t.id from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as d("userId" uuid, "itemId" uuid, date date)
      join time t on t.tenant_id = ${tenantId} and t.user_id = d."userId" and t.effective_date = d.date and t.item_id is not distinct from d."itemId"
      where ${isOther}
    union select o.time_id from invoice_entry e join chain on chain.id = e.time_id
      join invoice_entry o on o.tenant_id = ${ownTenant} and o.invoice_id = e.invoice_id and o.line_id = e.line_id and not o.released and not o.adjusts
      where e.tenant_id = ${tenantId} and not e.released and not e.adjusts and e.line_id <> ''`
  return rows.map(row => row.id)
}

/** The order in which work is charged to contracts. */
export function byWork(a: TimeToBill, b: TimeToBill): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1
  return a.created - b.created || (a.id < b.id ? -1 : 1)
}
