import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { formatDecimal, unitsOf } from '../../language/decimal.ts'
import { rowsAt } from '../../records/history/past.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { budgetEntries, entryState } from './budget-entry.ts'
import { type Grant, grantedIn } from './budget-math.ts'
import { type Budget, budgets } from './budget-record.ts'

/** What a budget of a container granted at a moment, in its unit. */
export interface BudgetAmount {
  budgetId: Id
  containerId: Id
  /** A decimal. */
  amount: string
}

/** What the budgets of containers granted in the period of a day, by their ledgers as they were at a moment, or as they are. */
export async function budgetsAt(
  ctx: Context,
  containerIds: readonly Id[],
  day: string,
  at: Date | undefined,
): Promise<BudgetAmount[]> {
  const { tenantId } = ctx.caller
  const owned = sql`p.owner = ${ownerKind.container} and p.owner_id = any(${containerIds}::text[])`
  const rows = await ctx.sql<{
    json: string
  }>`select ${budgets.json(raw('t'))} as json from ${rowsAt(budgets, at, owned)} t
    where t.tenant_id = ${tenantId} and not t.deleted order by t.id`
  const all: Budget[] = rows.map(row => JSON.parse(row.json))
  const ledgers = sql`p.budget_id = any(${all.map(each => each.id)}::uuid[])`
  const entries = await ctx.sql<{ budgetId: Id; date: string; recurring: boolean; delta: string }>`
    select t.budget_id as "budgetId", t.date::text as date, t.recurring, t.delta::text as delta from ${rowsAt(budgetEntries, at, ledgers)} t
    where t.tenant_id = ${tenantId} and t.state = ${entryState.approved} and not t.deleted`
  const grants = Map.groupBy(entries, each => each.budgetId)
  return all.map(budget => {
    const ledger: Grant[] = (grants.get(budget.id) ?? []).map(each => ({ ...each, delta: unitsOf(each.delta) }))
    return { budgetId: budget.id, containerId: budget.ownerId, amount: formatDecimal(grantedIn(budget, ledger, day)) }
  })
}
