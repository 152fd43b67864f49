import { clockState } from '../../clocks/item-clock/item-clock.ts'
import { billingRoutes } from '../../finance/billing/billing.ts'
import * as budget from '../../finance/budget/budget.ts'
import { balanceRoutes } from '../../finance/budget/budget-balance.ts'
import * as budgetEntry from '../../finance/budget/budget-entry.ts'
import * as budgetReason from '../../finance/budget-reason.ts'
import * as contract from '../../finance/contract/contract.ts'
import * as costCenter from '../../finance/cost-center/cost-center.ts'
import * as costCenterSummary from '../../finance/cost-center/cost-center-summary.ts'
import * as crm from '../../finance/crm/crm.ts'
import { summaryRoutes } from '../../finance/crm/crm-summary.ts'
import { mergeRoutes } from '../../finance/crm/merge-crm.ts'
import * as invoice from '../../finance/invoice/invoice.ts'
import { invoiceState } from '../../finance/invoice/invoice-record.ts'
import * as invoiceSeries from '../../finance/invoice/invoice-series.ts'
import * as jobRole from '../../finance/job-role.ts'
import * as multiplier from '../../finance/multiplier.ts'
import * as nonBillable from '../../finance/non-billable.ts'
import * as sku from '../../finance/sku.ts'
import { skippedDrill } from '../../insight/report/time/skipped-time.ts'
import type { Routes } from '../../kernel/operation.ts'
import { sql } from '../../kernel/sql.ts'
import { committedOn } from '../../plan/load/committed.ts'
import { rowsFor, scenarioQuery } from '../../plan/scenario/scenario.ts'
import * as timeClosing from '../../time/closed/closing.ts'

/** Customers, contracts, budgets, rates and invoices. */
export const financeRoutes: Routes = {
  ...crm.routes,
  ...summaryRoutes(clockState),
  ...mergeRoutes({
    Time: timeClosing.isOpenTime,
    Invoice: t => sql`${t}.state <> ${invoiceState.issued}`,
  }),
  ...budget.routes,
  ...budgetEntry.routes,
  ...balanceRoutes({ committed: committedOn, scenarioQuery, rowsFor }),
  ...contract.routes,
  ...invoiceSeries.routes,
  ...billingRoutes(skippedDrill),
  ...invoice.routes,
  ...nonBillable.routes,
  ...jobRole.routes,
  ...costCenter.routes,
  ...costCenterSummary.routes,
  ...multiplier.routes,
  ...budgetReason.routes,
  ...sku.routes,
}
