import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { type RowSource, storedRows } from '../../records/row-source.ts'
import { allocationState, allocations } from '../allocation/allocation.ts'
import { type Planned, spread } from '../allocation/spread.ts'
import type { Demand, SubjectDays } from '../allocation/subject-days.ts'

/** An allocation, as a load counts it. */
export interface PlannedWork extends Demand, Planned {
  id: Id
  jobRoleId: Id | ''
  containerId: Id | ''
  crmId: Id | ''
  itemId: Id | ''
  nonBillable: Id | ''
  firm: boolean
}

/** The allocations (`p`) that plan something in a period, without drafts. */
export async function plannedIn(
  ctx: Context,
  { from, to }: { from: string; to: string },
  where: Sql = raw('true'),
  rows: RowSource = storedRows,
): Promise<PlannedWork[]> {
  const { tenantId } = ctx.caller
  return await ctx.sql<PlannedWork>`select p.id, coalesce(p.user_id::text, '') as "userId", coalesce(p.user_group_id::text, '') as "userGroupId",
      coalesce(p.job_role_id::text, '') as "jobRoleId", coalesce(p.container_id::text, '') as "containerId",
      coalesce(case when p.owner = ${ownerKind.crm} then p.owner_id else coalesce(i.crm_id, c.crm_id)::text end, '') as "crmId",
      coalesce(i.id::text, '') as "itemId", coalesce(p.non_billable::text, '') as "nonBillable",
      p."from", p."to", p.unit, p.amount::float8 as amount, p.recurrence, p.state = ${allocationState.approved} and not p.tentative as firm
    from ${rows(allocations)} p
    left join item i on i.tenant_id = ${ownTenant} and i.id = case when p.owner = ${ownerKind.item} then p.owner_id::uuid end
    left join container c on c.tenant_id = ${ownTenant} and c.id = p.container_id
    where p.tenant_id = ${tenantId} and not p.deleted and p.state <> ${allocationState.draft}
      and p."to" >= ${from}::date and p."from" <= ${to}::date and ${where} order by p.id`
}

/** The seconds of an allocation on the days of a period. */
export function secondsOf(
  work: PlannedWork,
  days: SubjectDays,
  period: { from: string; to: string },
): [string, number][] {
  return [...spread(work, days.daysOf(work))].filter(([date]) => date >= period.from && date <= period.to)
}

/** The condition for the allocations of these users. */
export const ofUsers = (userIds: readonly Id[]): Sql => sql`p.user_id = any(${userIds}::uuid[])`
