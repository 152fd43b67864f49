import type { Routes } from '../../kernel/operation.ts'
import * as allocation from '../../plan/allocation/allocation-operations.ts'
import * as baseline from '../../plan/baseline/baseline-operations.ts'
import * as userCapacity from '../../plan/capacity/user-capacity.ts'
import * as itemTemplate from '../../plan/item-template/item-template-operations.ts'
import * as leaveAllowance from '../../plan/leave/leave-allowance.ts'
import * as leave from '../../plan/leave/leave-operations.ts'
import * as timeBalance from '../../plan/leave/time-balance.ts'
import * as portfolio from '../../plan/portfolio/portfolio-operation.ts'
import * as scenario from '../../plan/scenario/scenario-operations.ts'
import * as planSchedule from '../../plan/schedule/schedule-operation.ts'

/** Capacity, allocations, leave, schedules and scenarios. */
export const planRoutes: Routes = {
  ...userCapacity.routes,
  ...planSchedule.routes,
  ...baseline.routes,
  ...portfolio.routes,
  ...itemTemplate.routes,
  ...scenario.routes,
  ...allocation.routes,
  ...leave.routes,
  ...leaveAllowance.routes,
  ...timeBalance.routes,
}
