import { budgetUnit } from '../../finance/budget/budget.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { quotient } from '../../language/decimal.ts'
import { type Owned, ownerKind } from '../../records/references/owner.ts'
import type { RowSource } from '../../records/row-source.ts'
import { subjectDays } from '../allocation/subject-days.ts'
import { plannedIn, secondsOf } from './planned.ts'
import { plannedAmounts } from './planned-money.ts'

/** The allocations (`p`, with their item `i` and container `c`) for what an owner contains, directly or further below. */
const within: Readonly<Record<number, (id: Id, tenantId: Id) => Sql>> = {
  [ownerKind.container]: id => sql`p.container_id = ${id}`,
  [ownerKind.area]: (id, tenantId) => sql`i.area_id in (with recursive below as (
      select ${id}::uuid as id union select a.id from area a join below on a.parent_id = below.id where a.tenant_id = ${tenantId} and not a.deleted)
    select id from below)`,
  [ownerKind.item]: (id, tenantId) => sql`i.id in (with recursive below as (
      select ${id}::uuid as id union select k.id from item k join below on k.parent_id = below.id where k.tenant_id = ${tenantId} and not k.deleted)
    select id from below)`,
  [ownerKind.crm]: id =>
    sql`case when p.owner = ${ownerKind.crm} then p.owner_id = ${id} else coalesce(i.crm_id, c.crm_id) = ${id}::uuid end`,
  [ownerKind.cycle]: id => sql`(p.owner = ${ownerKind.cycle} and p.owner_id = ${id} or i.cycle_id = ${id}::uuid)`,
}

const lastDay = '9999-12-31'

/**
 * What is firmly planned for the owner of a budget, from one day to another, in the unit of the budget: minutes, or money at the
 * rates that planned work would be booked at now.
 */
export async function committedOn(
  ctx: Context,
  { owner, ownerId, unit, currency }: Owned & { unit: number; currency: string },
  from: string,
  to: string | null,
  rows: RowSource,
): Promise<bigint> {
  const where = isId(ownerId) ? within[owner]?.(ownerId.toLowerCase(), ctx.caller.tenantId) : undefined
  if (!where || !Object.values(budgetUnit).some(each => each === unit)) return 0n
  const period = { from, to: to ?? lastDay }
  const work = (await plannedIn(ctx, period, where, rows)).filter(each => each.firm)
  const days = await subjectDays(ctx, work, { rows })
  if (unit === budgetUnit.minutes) {
    const planned = work.flatMap(each => secondsOf(each, days, period)).reduce((sum, [, seconds]) => sum + seconds, 0)
    return quotient(BigInt(planned), 60n)
  }
  const amountsOf = await plannedAmounts(ctx, work, period)
  return work
    .flatMap(each => secondsOf(each, days, period).map(([date, seconds]) => amountsOf(each, date, seconds)))
    .map(amounts => (unit === budgetUnit.cost ? amounts.cost : amounts.currency === currency ? amounts.value : 0n))
    .reduce((sum, amount) => sum + amount, 0n)
}
