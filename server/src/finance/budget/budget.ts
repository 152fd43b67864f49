import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Routes } from '../../kernel/operation.ts'
import { history } from '../../records/history/history.ts'
import { AlertAt, type Budget, budgets, budgetUnit, readableBudgets } from './budget-record.ts'

export { balanceOn } from './budget-balance.ts'
export {
  type BudgetEntryInput,
  budgetEntries,
  createBudgetEntry,
  entryState,
} from './budget-entry.ts'
export { budgetPeriods } from './budget-period.ts'
export { budgetUnits } from './budget-use.ts'
export { type BudgetAmount, budgetsAt } from './budgets-at.ts'
export { type ContainerBudget, keepContainerBudget } from './container-budget.ts'
export { type ContainerBudgetUse, containerBudgetUses } from './container-budget-use.ts'
export { AlertAt, type Budget, budgets, budgetUnit, readableBudgets }

export const routes: Routes = {
  'GET /finance/budget': list(budgets),
  'POST /finance/budget': create(budgets),
  'PUT /finance/budget': update(budgets),
  'GET /finance/budget/:id': get(budgets),
  'PUT /finance/budget/:id': update(budgets),
  'PATCH /finance/budget/:id': update(budgets),
  'DELETE /finance/budget/:id': remove(budgets),
  'POST /finance/budget/:id/restore': restore(budgets),
  'GET /finance/budget/:id/history': history(budgets),
  'GET /finance/budget/:id/check': check(budgets),
}
