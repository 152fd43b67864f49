import type { Routes } from '../../kernel/operation.ts'
import { audit } from './audit.ts'
import { backlogAge } from './backlog-age.ts'
import { burn } from './burn.ts'
import { cumulativeFlow } from './cumulative-flow.ts'
import { drillRoutes } from './drill.ts'
import { firstResponse } from './first-response.ts'
import { cycleTime, leadTime } from './lead-time.ts'
import type { Report } from './report.ts'
import { satisfaction } from './satisfaction.ts'
import { slaAttainment } from './sla-attainment.ts'
import { teamTimesheet } from './team-timesheet.ts'
import { timeInStatus } from './time-in-status.ts'
import { utilisation } from './utilisation.ts'
import { workload } from './workload.ts'

const reports: readonly Report[] = [
  leadTime,
  cycleTime,
  timeInStatus,
  cumulativeFlow,
  burn,
  backlogAge,
  slaAttainment,
  firstResponse,
  satisfaction,
  teamTimesheet,
  utilisation,
  workload,
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
  'POST /insight/report/team-timesheet': teamTimesheet.operation,
  'POST /insight/report/utilisation': utilisation.operation,
  'POST /insight/report/workload': workload.operation,
  'POST /insight/report/audit': audit.operation,
  ...drillRoutes(reports),
}
