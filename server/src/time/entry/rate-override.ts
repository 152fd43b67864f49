import { demand, managers, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { ownTenant, sql } from '../../kernel/sql.ts'
import type { Time, TimeValues } from '../time.ts'

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
  if (billRate !== null) return { ...values, billRate, rateSource: ofEntry }
  return before?.rateSource === ofEntry ? { ...values, ...(await resolvedRate(ctx, before)) } : values
}

/** The price that the rates give an entry. */
async function resolvedRate(ctx: Context, { id }: Time): Promise<Partial<TimeValues>> {
  const [row] = await ctx.sql<{ billRate: string | null; currency: string; rateSource: string }>`
    select case when ${isBillable} then r.bill::text end as "billRate", case when ${isBillable} then r.currency else '' end as currency,
      case when ${isBillable} then r.bill_source else 'none' end as "rateSource"
    from time t left join container c on c.tenant_id = ${ownTenant} and c.id = t.container_id,
      rates_on(t.tenant_id, t.item_id, t.container_id, t.crm_id, t.user_id, t.job_role_id, t.effective_date) r
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id}`
  return row ? { ...row } : {}
}

/** Whether the customer pays for entry `t` in container `c`. */
export const isBillable = sql`(t.billable = 1 or (t.billable <> 0 and t.non_billable is null and coalesce(c.billable, false)))`
