import * as myWork from '../../insight/my-work/my-work.ts'
import * as insightQuery from '../../insight/query/query.ts'
import * as reports from '../../insight/report/reports.ts'
import * as reporting from '../../insight/reporting.ts'
import * as savedRun from '../../insight/saved/run-saved.ts'
import * as savedReport from '../../insight/saved/saved-report.ts'
import * as search from '../../insight/search/search.ts'
import type { Routes } from '../../kernel/operation.ts'

/** Reports, queries and search. */
export const insightRoutes: Routes = {
  ...search.routes,
  ...reporting.routes,
  ...myWork.routes,
  ...insightQuery.routes,
  ...reports.routes,
  ...savedReport.routes,
  ...savedRun.routes,
}
