import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant, sql } from '../../kernel/sql.ts'
import { amountOfTime, multiply, unitsOf } from '../../language/decimal.ts'
import type { PlannedWork } from './planned.ts'

/** What planned work costs, and what customers pay for it, in units of 10⁻⁴. */
interface PlannedAmounts {
  /** In the currency of the tenant. */
  cost: bigint
  value: bigint
  currency: string
}

/** The rates of an allocation from a day on. */
interface RatesFrom {
  id: Id
  day: string
  cost: string | null
  bill: string | null
  currency: string
}

/**
 * Resolves the rates of allocations as those of time entries, by the day. Rates change on few days, so they are resolved once for
 * each span of days on which no rate begins or ends; the factors of single days are read beside them.
 */
export async function plannedAmounts(
  ctx: Context,
  works: readonly PlannedWork[],
  { from, to }: { from: string; to: string },
): Promise<(work: PlannedWork, date: string, seconds: number) => PlannedAmounts> {
  const rows = works.length === 0 ? [] : await ratesOf(ctx, works, from, to)
  const byWork = Map.groupBy(rows, row => row.id)
  const factors = new Map(
    (rows.length === 0 ? [] : await factorsOf(ctx, works, from, to)).map(each => [`${each.id} ${each.day}`, each]),
  )
  return ({ id }, date, seconds) => {
    const found = byWork.get(id)?.findLast(({ day }) => day <= date)
    const factor = factors.get(`${id} ${date}`)
    const amount = (rate: string | null | undefined, times = '1') =>
      rate ? amountOfTime(BigInt(seconds), multiply(unitsOf(rate), unitsOf(times))) : 0n
    return {
      cost: amount(found?.cost, factor?.cost),
      value: amount(found?.bill, factor?.bill),
      currency: found?.currency ?? '',
    }
  }
}

/** The factors of an allocation on a day that has any. */
interface FactorsOn {
  id: Id
  day: string
  bill: string
  cost: string
}

async function factorsOf(ctx: Context, works: readonly PlannedWork[], from: string, to: string): Promise<FactorsOn[]> {
  const { tenantId } = ctx.caller
  const planned = works.map(work => ({
    id: work.id,
    userId: work.userId || null,
    containerId: work.containerId || null,
    crmId: work.crmId || null,
    from: work.from,
    to: work.to,
  }))
  return await ctx.sql<
    FactorsOn & Record<string, unknown>
  >`select p.id, d.day::date::text as day, m.bill::text as bill, m.cost::text as cost
    from jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) as p(id uuid, "userId" uuid, "containerId" uuid, "crmId" uuid, "from" date, "to" date)
    cross join lateral generate_series(greatest(p."from", ${from}::date), least(p."to", ${to}::date), interval '1 day') as d(day)
    cross join lateral multipliers_on(${tenantId}::uuid, p."containerId", p."crmId", p."userId", d.day::date, null, null) m
    where exists (select 1 from multiplier k where k.tenant_id = ${tenantId} and not k.deleted) and (m.bill_id is not null or m.cost_id is not null)`
}

async function ratesOf(ctx: Context, works: readonly PlannedWork[], from: string, to: string): Promise<RatesFrom[]> {
  const { tenantId } = ctx.caller
  const planned = works.map(({ id, userId, jobRoleId, itemId, containerId, crmId, nonBillable }) => ({
    id,
    userId: userId || null,
    jobRoleId: jobRoleId || null,
    itemId: itemId || null,
    containerId: containerId || null,
    crmId: crmId || null,
    nonBillable: nonBillable || null,
  }))
  const rate = sql`from rate r where r.tenant_id = ${tenantId} and not r.deleted`
  return await ctx.sql<RatesFrom & Record<string, unknown>>`with days as (
      select ${from}::date as day
      union select r."from" ${rate} and r."from" > ${from}::date and r."from" <= ${to}::date
      union select r."to" + 1 ${rate} and r."to" >= ${from}::date and r."to" < ${to}::date
    )
    select p.id, d.day::text as day, r.cost::numeric(19,4)::text as cost, case when c.billable and p."nonBillable" is null then r.bill::numeric(19,4)::text end as bill, r.currency
    from jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) as p(id uuid, "userId" uuid, "jobRoleId" uuid, "itemId" uuid, "containerId" uuid, "crmId" uuid, "nonBillable" uuid)
    left join container c on c.tenant_id = ${ownTenant} and c.id = p."containerId"
    left join "user" u on u.tenant_id = ${ownTenant} and u.id = p."userId"
    left join lateral (select k.id from job_role k where k.tenant_id = ${ownTenant} and not k.deleted and u.job_role <> ''
      and (k.id::text = lower(u.job_role) or (k.code <> '' and lower(k.code) = lower(u.job_role))) order by k.created, k.id limit 1) j on true
    cross join days d
    cross join lateral rates_on(${tenantId}::uuid, p."itemId", p."containerId", p."crmId", p."userId", coalesce(p."jobRoleId", j.id), d.day) r
    order by p.id, d.day`
}
