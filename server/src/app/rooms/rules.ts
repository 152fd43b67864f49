import type { Routes } from '../../kernel/operation.ts'
import * as approval from '../../rules/approval/approval-operations.ts'
import * as workProcess from '../../rules/process/process-operations.ts'
import * as rule from '../../rules/rule/rule-operations.ts'

/** Processes, rules and approvals. */
export const rulesRoutes: Routes = {
  ...workProcess.routes,
  ...rule.routes,
  ...approval.routes,
}
