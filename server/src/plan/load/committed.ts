import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { quotient } from '../../language/decimal.ts'
import { type Owned, ownerKind } from '../../records/owner.ts'
import type { RowSource } from '../../records/row-source.ts'
import { subjectDays } from '../allocation/subject-days.ts'
import { plannedIn, secondsOf } from './planned.ts'

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
const minutes = 0

/**
 * The minutes that are firmly planned for the owner of a budget, from one day to another, as a decimal. Budgets of money
 * commit nothing: what a planned hour will cost is not known before it is booked.
 */
export async function committedMinutes(
  ctx: Context,
  { owner, ownerId, unit }: Owned & { unit: number },
  from: string,
  to: string | null,
  rows: RowSource,
): Promise<bigint> {
  const where = isId(ownerId) ? within[owner]?.(ownerId.toLowerCase(), ctx.caller.tenantId) : undefined
  if (!where || unit !== minutes) return 0n
  const period = { from, to: to ?? lastDay }
  const work = (await plannedIn(ctx, period, where, rows)).filter(each => each.firm)
  const days = await subjectDays(ctx, work, { rows })
  const planned = work.flatMap(each => secondsOf(each, days, period)).reduce((sum, [, seconds]) => sum + seconds, 0)
  return quotient(BigInt(planned), 60n)
}
