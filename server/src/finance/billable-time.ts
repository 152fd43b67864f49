import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { ownTenant, type Sql, sql } from '../kernel/sql.ts'
import { settingOf } from '../platform/setting.ts'
import { policyOf, type Rounding, roundingPer, roundingSetting } from './rounding.ts'

// The time of a customer that is billed, and the units in which it is rounded.

/** The codes of a time entry that finance reads: drafts count nowhere, and the container decides where an entry does not. */
const draft = 0
const [billable, asContainer] = [1, 2]

/** An entry of billable time, in the order in which it is billed. */
export interface BillableEntry {
  id: Id
  userId: Id
  itemId: Id | ''
  containerId: Id | ''
  /** The day of the work. */
  date: string
  seconds: number
  /** The first entry of its chain of corrections; its own id if it has none. */
  chainId: Id
}

/** Joins the item (`i`) and the container (`c`) of an entry (`t`). */
export const places = sql`left join item i on i.tenant_id = ${ownTenant} and i.id = t.item_id
  left join container c on c.tenant_id = ${ownTenant} and c.id = t.container_id`

/** The customer, and those that were merged into it: their closed time still names them. */
export async function customersOf(ctx: Context, crmId: Id): Promise<Id[]> {
  const rows = await ctx.sql<{ id: Id }>`with recursive own as (
      select ${crmId}::uuid as id union select k.id from crm k join own on k.merged_into = own.id where k.tenant_id = ${ctx.caller.tenantId})
    select id from own`
  return rows.map(row => row.id)
}

/**
 * The entries (`t`) of customers. The customer is a fact of the booking; entries without one belong to that of their item or container.
 * The two are found by an index each.
 */
export function customerTimes(crmIds: readonly Id[]): Sql {
  return sql`(
      select b.* from time b where b.tenant_id = ${ownTenant} and not b.deleted and b.crm_id = any(${crmIds}::uuid[])
      union all select b.* from item o join time b on b.tenant_id = ${ownTenant} and b.item_id = o.id and not b.deleted and b.crm_id is null
      where o.tenant_id = ${ownTenant} and (o.crm_id = any(${crmIds}::uuid[]) or o.crm_id is null
        and o.container_id in (select k.id from container k where k.tenant_id = ${ownTenant} and k.crm_id = any(${crmIds}::uuid[])))) t`
}

/** Whether an entry is billed at all. */
export const isBillable = sql`(t.billable = ${billable} or t.billable = ${asContainer} and t.non_billable is null and coalesce(c.billable, false))`

/** The billable entries of a customer from a first to a last day of the work. */
export async function billableEntries(ctx: Context, crmId: Id, from: string, to: string): Promise<BillableEntry[]> {
  return await ctx.sql<BillableEntry & Record<string, unknown>>`
    select t.id, t.user_id as "userId", coalesce(t.item_id::text, '') as "itemId", coalesce(t.container_id::text, '') as "containerId", t.effective_date::text as date, t.seconds, coalesce(t.corrects_id, t.id) as "chainId"
    from ${customerTimes(await customersOf(ctx, crmId))} ${places}
    where t.tenant_id = ${ctx.caller.tenantId} and t.state <> ${draft} and ${isBillable} and t.effective_date between ${from}::date and ${to}::date
    order by t.effective_date, t.created, t.id`
}

/** The rounding policy of each container of a customer. */
export async function policies(
  ctx: Context,
  crmId: Id,
  containerIds: readonly (Id | '')[],
): Promise<(containerId: Id | '') => Rounding> {
  const { tenantId } = ctx.caller
  const [crm] = await ctx.sql<{
    rounding: Partial<Rounding>
  }>`select rounding from crm where tenant_id = ${tenantId} and id = ${crmId}`
  const rows = await ctx.sql<{ id: Id; rounding: Partial<Rounding> }>`select id, rounding from container
    where tenant_id = ${tenantId} and id = any(${[...new Set(containerIds)].filter(id => id !== '')}::uuid[])`
  const general = [crm?.rounding ?? {}, await settingOf(ctx, roundingSetting)]
  const known = new Map(rows.map(({ id, rounding }) => [id, policyOf([rounding, ...general])]))
  return containerId => known.get(containerId) ?? policyOf(general)
}

/** The key of the unit in which an entry is rounded; lines of invoices are rounded like days where there are no lines. */
export function unitKey(entry: BillableEntry, { per }: Rounding): string {
  return per === roundingPer.day || per === roundingPer.line
    ? `${entry.userId} ${entry.itemId || entry.containerId} ${entry.date}`
    : `${entry.chainId} ${entry.itemId || entry.containerId}`
}
