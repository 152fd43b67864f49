import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { raw } from '../../kernel/sql.ts'
import { formatDecimal, unitsOf } from '../../language/decimal.ts'
import { pastOf } from '../../records/history/past.ts'
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
  const was = pastOf(budgets, [], at)
  const rows = await ctx.sql<{ json: string }>`select ${budgets.json(raw('t'))} as json from budget t ${was.join}
    where t.tenant_id = ${tenantId} and t.owner = ${ownerKind.container} and t.owner_id = any(${containerIds}::text[]) and ${was.existed} order by t.id`
  const all: Budget[] = rows.map(row => JSON.parse(row.json))
  const entry = pastOf(budgetEntries, ['state', 'delta', 'date', 'recurring'], at)
  const entries = await ctx.sql<{ budgetId: Id; date: string; recurring: boolean; delta: string }>`
    select t.budget_id as "budgetId", ${entry.value('date', raw('t.date'), 'date')}::text as date,
      ${entry.value('recurring', raw('t.recurring'), 'boolean')} as recurring, ${entry.value('delta', raw('t.delta'), 'numeric')}::text as delta
    from budget_entry t ${entry.join}
    where t.tenant_id = ${tenantId} and t.budget_id = any(${all.map(each => each.id)}::uuid[])
      and ${entry.value('state', raw('t.state'), 'integer')} = ${entryState.approved} and ${entry.existed}`
  const grants = Map.groupBy(entries, each => each.budgetId)
  return all.map(budget => {
    const ledger: Grant[] = (grants.get(budget.id) ?? []).map(each => ({ ...each, delta: unitsOf(each.delta) }))
    return { budgetId: budget.id, containerId: budget.ownerId, amount: formatDecimal(grantedIn(budget, ledger, day)) }
  })
}
