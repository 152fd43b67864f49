import { demand, managers, permission } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { ownTenant, sql } from '../../../kernel/sql.ts'
import type { Time, TimeValues } from '../../time.ts'

const overrideRate = permission('rate.override', managers)

/** Demands the permission to give a price for an entry itself. */
export function demandOverride({ caller }: Context): void {
  demand(caller, overrideRate)
}

/** The source of a rate that was given for the entry itself. */
export const ofEntry = 'entry'

/**
 * A price in the body is one for this entry, and stays until it is cleared; the rates decide again then. The stored price is not
 * given when a whole record is sent back.
 */
export async function withOverride(
  ctx: Context,
  { billRate, ...values }: Partial<TimeValues>,
  before?: Time,
): Promise<Partial<TimeValues>> {
  if (billRate === undefined || billRate === (before?.billRate ?? null)) return values
  demandOverride(ctx)
  if (billRate !== null) return { ...values, billRate, rateSource: ofEntry, multiplier: '1.0000', multiplierId: '' }
  return before?.rateSource === ofEntry ? { ...values, ...(await resolvedRate(ctx, before)) } : values
}

/** The price that the rates give an entry. */
async function resolvedRate(ctx: Context, { id }: Time): Promise<Partial<TimeValues>> {
  const [row] = await ctx.sql<BillOfRates>`select ${billOfRates}
    from time t ${withPrices} where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id}`
  return row ? { ...row } : {}
}

/** Whether the customer pays for entry `t` in container `c`. */
const isBillable = sql`(t.billable = 1 or (t.billable <> 0 and t.non_billable is null and coalesce(c.billable, false)))`

/** What the rates give entry `t` now, as `r`. A replacement is work of the times of the entry that was corrected. */
export const withPrices = sql`left join container c on c.tenant_id = ${ownTenant} and c.id = t.container_id
  left join time o on o.tenant_id = ${ownTenant} and o.id = t.corrects_id
  cross join lateral prices_on(t.tenant_id, t.item_id, t.container_id, t.crm_id, t.user_id, t.job_role_id, t.effective_date,
    coalesce(t.start, o.start), coalesce(t."end", o."end"), t.timezone) r`

/** The properties of the price in `billOfRates`. */
export interface BillOfRates {
  billRate: string | null
  currency: string
  rateSource: string
  multiplier: string
  multiplierId: Id | ''
}

/** The price of entry `t` that `withPrices` finds. */
export const billOfRates = sql`case when ${isBillable} then r.bill::numeric(19,4)::text end as "billRate", case when ${isBillable} then r.currency else '' end as currency,
  case when ${isBillable} then r.bill_source else 'none' end as "rateSource", case when ${isBillable} then r.multiplier else 1 end::numeric(6,4)::text as multiplier,
  case when ${isBillable} then coalesce(r.multiplier_id::text, '') else '' end as "multiplierId"`
