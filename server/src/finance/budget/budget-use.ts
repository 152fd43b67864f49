import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { quotient, unitsOf } from '../../language/decimal.ts'
import { codeTableOfCodes } from '../../records/code-table.ts'
import { type Owned, ownerKind } from '../../records/references/owner.ts'
import type { RowSource } from '../../records/row-source.ts'
import { chargedTo, costCentersBelow, during, type OpenPeriod } from '../cost-center/charged-time.ts'

// The time that counts against a budget: entries on what its owner contains, without drafts.

/** The state of entries that count nowhere. */
const draft = 0
/** The categories of items that are done or cancelled. */
const closed = [4, 5]

/** The condition on an item (`i`) that an owner contains, directly or further below. */
const contains: Readonly<Record<number, (id: Id, tenantId: Id) => Sql>> = {
  [ownerKind.container]: id => sql`i.container_id = ${id}`,
  [ownerKind.area]: (id, tenantId) => sql`i.area_id in (with recursive below as (
      select ${id}::uuid as id union select a.id from area a join below on a.parent_id = below.id where a.tenant_id = ${tenantId} and not a.deleted)
    select id from below)`,
  [ownerKind.item]: (id, tenantId) => sql`i.id in (with recursive below as (
      select ${id}::uuid as id union select c.id from item c join below on c.parent_id = below.id where c.tenant_id = ${tenantId} and not c.deleted)
    select id from below)`,
  [ownerKind.crm]: (id, tenantId) => sql`(i.crm_id = ${id} or i.crm_id is null and exists (select 1 from container k
      where k.tenant_id = ${tenantId} and k.id = i.container_id and k.crm_id = ${id}))`,
  [ownerKind.cycle]: id => sql`i.cycle_id = ${id}`,
}

/** What a budget counts. */
export const budgetUnit = { minutes: 0, cost: 1, value: 2 } as const
export const budgetUnits = codeTableOfCodes('budget.unit', budgetUnit)

/** What entries (`t`) add up to, in seconds or in money. Currencies are never added. */
const measures: Readonly<Record<number, (currency: string) => Sql>> = {
  [budgetUnit.minutes]: () => sql`sum(t.seconds)`,
  [budgetUnit.cost]: () => sql`sum(t.cost_amount)`,
  [budgetUnit.value]: currency => sql`sum(t.bill_amount) filter (where t.currency = ${currency})`,
}

/** The owners that time is booked on. No item belongs to a cost centre: its time is found by the entries. */
export const measuredOwners: readonly number[] = [...Object.keys(contains).map(Number), ownerKind.costCenter]

/** The owner of a budget, and what it counts. */
interface Counted extends Owned {
  unit: number
  currency: string
}

export interface Use {
  /** In the unit of the budget. */
  amount: bigint
  seconds: bigint
}

/** What was used from a first to a last day; null is open. */
export async function usedBetween(
  ctx: Context,
  { owner, ownerId, unit, currency }: Counted,
  from: string | null,
  to: string | null,
): Promise<Use> {
  const { tenantId } = ctx.caller
  const booked = isId(ownerId) ? bookedOn(owner, ownerId, tenantId, { from, to }) : undefined
  const measure = measures[unit]?.(currency)
  if (!booked || !measure) return { amount: 0n, seconds: 0n }
  const [row] = await ctx.sql<{
    seconds: string
    amount: string
  }>`select coalesce(sum(t.seconds), 0)::text as seconds, coalesce(${measure}, 0)::text as amount from ${booked}`
  const seconds = BigInt(row?.seconds ?? '0')
  return { amount: unit === budgetUnit.minutes ? quotient(seconds, 60n) : unitsOf(row?.amount ?? '0'), seconds }
}

/** The entries of an owner (`t`), or their parts, in a period. */
function bookedOn(owner: number, ownerId: Id, tenantId: Id, period: OpenPeriod): Sql | undefined {
  if (owner === ownerKind.costCenter) return sql`(${chargedTo(costCentersBelow(ownerId), period)}) t`
  const inside = contains[owner]?.(ownerId, tenantId)
  if (!inside) return undefined
  // Container and customer are facts of the booking; entries without a customer belong to that of their item.
  const onItems = sql`t.item_id in (select i.id from item i where i.tenant_id = ${tenantId} and ${inside})`
  const booked =
    owner === ownerKind.container
      ? sql`t.container_id = ${ownerId}`
      : owner === ownerKind.crm
        ? sql`(t.crm_id = ${ownerId} or t.crm_id is null and ${onItems})`
        : onItems
  return sql`time t where t.tenant_id = ${tenantId} and not t.deleted and t.state <> ${draft} and ${booked} and ${during(raw('t'), period)}`
}

/** The minutes that remain to be done on the open items of an owner. */
export async function remainingMinutes(ctx: Context, { owner, ownerId }: Owned, source: RowSource): Promise<bigint> {
  const { tenantId } = ctx.caller
  const inside = isId(ownerId) ? contains[owner]?.(ownerId, tenantId) : undefined
  if (!inside) return 0n
  const [row] = await ctx.sql<{
    minutes: string
  }>`select coalesce(sum(i.remaining_minutes), 0)::text as minutes from ${source({ entity: 'Item', table: 'item' })} i
    where i.tenant_id = ${tenantId} and not i.deleted and i.status_category <> all(${closed}::int[]) and ${inside}`
  return BigInt(row?.minutes ?? '0')
}
