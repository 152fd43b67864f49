import type { Routes } from '../../kernel/operation.ts'
import { audit } from './audit.ts'
import { firstResponse } from './desk/first-response.ts'
import { knowledge } from './desk/knowledge.ts'
import { satisfaction } from './desk/satisfaction.ts'
import { slaAttainment } from './desk/sla-attainment.ts'
import { drillRoutes } from './drill.ts'
import { backlogAge } from './flow/backlog-age.ts'
import { burn } from './flow/burn.ts'
import { cumulativeFlow } from './flow/cumulative-flow.ts'
import { cycleTime, leadTime } from './flow/lead-time.ts'
import { timeInStatus } from './flow/time-in-status.ts'
import { budget } from './money/budget.ts'
import { profitability } from './money/profitability.ts'
import { realisation } from './money/realisation.ts'
import type { Report } from './report.ts'
import { costCentersReport } from './time/cost-centers.ts'
import { planVersusActual } from './time/plan-versus-actual.ts'
import { skippedTime } from './time/skipped-time.ts'
import { teamTimesheet } from './time/team-timesheet.ts'
import { utilisation } from './time/utilisation.ts'
import { workload } from './time/workload.ts'

/** The reports that count records. The timesheet of a user, which lists entries, is in `reporting.ts`. */
export const reports: readonly Report[] = [
  leadTime,
  cycleTime,
  timeInStatus,
  cumulativeFlow,
  burn,
  backlogAge,
  slaAttainment,
  firstResponse,
  satisfaction,
  knowledge,
  teamTimesheet,
  utilisation,
  workload,
  planVersusActual,
  realisation,
  profitability,
  budget,
  costCentersReport,
  audit,
]

export const routes: Routes = {
  'POST /insight/report/lead-time': leadTime.operation,
  'POST /insight/report/cycle-time': cycleTime.operation,
  'POST /insight/report/time-in-status': timeInStatus.operation,
  'POST /insight/report/cumulative-flow': cumulativeFlow.operation,
  'POST /insight/report/burn': burn.operation,
  'POST /insight/report/backlog-age': backlogAge.operation,
  'POST /insight/report/sla-attainment': slaAttainment.operation,
  'POST /insight/report/first-response': firstResponse.operation,
  'POST /insight/report/satisfaction': satisfaction.operation,
  'POST /insight/report/knowledge': knowledge.operation,
  'POST /insight/report/team-timesheet': teamTimesheet.operation,
  'POST /insight/report/utilisation': utilisation.operation,
  'POST /insight/report/workload': workload.operation,
  'POST /insight/report/plan-versus-actual': planVersusActual.operation,
  'POST /insight/report/realisation': realisation.operation,
  'POST /insight/report/profitability': profitability.operation,
  'POST /insight/report/budget': budget.operation,
  'POST /insight/report/cost-centers': costCentersReport.operation,
  'POST /insight/report/audit': audit.operation,
  ...drillRoutes([...reports, skippedTime]),
}
