import { dayHalf, leaveState } from '../admin/leave/leave.ts'
import { targetKind } from '../clocks/clock/target-kind.ts'
import { clockState } from '../clocks/cycle/measure.ts'
import { actions } from '../containers/action/action.ts'
import { demandKinds } from '../containers/constraint/constraint.ts'
import { containerHealth } from '../containers/container-health.ts'
import { containerKinds } from '../containers/container-kind.ts'
import { templateKind } from '../containers/content-template/content-template.ts'
import { placements, usages } from '../containers/field/field-codes.ts'
import { momentCodes } from '../containers/screen/screen-moment.ts'
import { statusCategory } from '../containers/status-category.ts'
import { annotationKind } from '../desk/annotation/annotation.ts'
import { watchLevel } from '../desk/watch/watch-codes.ts'
import { documentState } from '../documents/document-state.ts'
import { fileState } from '../documents/file/file.ts'
import { migrationState } from '../documents/storage/migration/migration-state.ts'
import { storageEncryption, storageKind } from '../documents/storage/storage-kind.ts'
import { budgetReasonKinds } from '../finance/budget-reason.ts'
import { skuKinds } from '../finance/sku.ts'
import { userKind } from '../identity/user-kind.ts'
import { itemVisibility } from '../items/item/item.ts'
import { priorities } from '../items/priority.ts'
import { noRole, roleCodes, tenantStatus } from '../kernel/access.ts'
import { operatorNames } from '../language/conditions/conditions.ts'
import { intervals, limiters } from '../notify/notification/notification-codes.ts'
import { triggerEvents } from '../notify/trigger-event.ts'
import { allocationState } from '../plan/allocation/allocation.ts'
import { allocationUnit } from '../plan/allocation/spread.ts'
import { scenarioState } from '../plan/scenario/scenario.ts'
import { changeOp } from '../plan/scenario/scenario-change.ts'
import { scopes } from '../platform/setting.ts'
import { type CodeTable, codeTable, codeTableOfCodes, codeTableOfList } from '../records/code-table.ts'
import { ownerKind } from '../records/references/owner.ts'
import { triggers } from '../rules/rule/rule-codes.ts'
import { approvalModeTable, periodKindTable } from '../time/calendar/calendar.ts'
import { sheetStateTable } from '../time/sheet/sheet-state.ts'
import { timeBillable, timeState } from '../time/time-state.ts'

/** One number space: `actionValue` has those below 40, `actionEndpoint` those from 40 on. */
export const actionTypes = codeTable(
  'actionType',
  Object.fromEntries(Object.entries(actions).map(([name, { code, label }]) => [name, [code, label]])),
)

const roles = Object.fromEntries(Object.entries(roleCodes).map(([code, name]) => [name, Number(code)]))

/** Every table of codes that `GET /api/meta/codes` publishes. */
export const codeTables: readonly CodeTable[] = [
  codeTableOfList('operator', operatorNames),
  codeTableOfCodes('owner', ownerKind),
  triggers,
  triggerEvents,
  actionTypes,
  placements,
  usages,
  intervals,
  limiters,
  priorities,
  containerKinds,
  codeTableOfCodes('container.health', containerHealth),
  codeTableOfCodes('contentTemplate.kind', templateKind),
  codeTableOfCodes('role', { none: noRole, ...roles }),
  codeTableOfCodes('user.kind', userKind),
  codeTableOfCodes('tenant.status', tenantStatus),
  codeTableOfCodes('statusCategory', statusCategory),
  codeTableOfCodes('item.visibility', itemVisibility),
  codeTableOfCodes('annotation.kind', annotationKind),
  codeTableOfCodes('watch.level', watchLevel),
  codeTableOfCodes('clock.target.kind', targetKind),
  codeTableOfCodes('clock.state', clockState),
  codeTableOfCodes('time.state', timeState),
  codeTableOfCodes('time.billable', timeBillable),
  codeTableOfCodes('screen.moment', momentCodes),
  codeTableOfList('constraint.then.kind', demandKinds),
  codeTableOfCodes('setting.scope', scopes),
  codeTableOfCodes('leave.state', leaveState),
  codeTableOfCodes('leave.half', dayHalf),
  codeTableOfCodes('plan.unit', allocationUnit),
  codeTableOfCodes('plan.state', allocationState),
  codeTableOfCodes('scenario.state', scenarioState),
  codeTableOfCodes('scenario.op', changeOp),
  periodKindTable,
  approvalModeTable,
  codeTableOfCodes('document.state', documentState),
  codeTableOfCodes('file.state', fileState),
  codeTableOfCodes('outboundStorage.kind', storageKind),
  codeTableOfCodes('storageMigration.state', migrationState),
  codeTableOfCodes('outboundStorage.encryption', storageEncryption),
  budgetReasonKinds,
  skuKinds,
  sheetStateTable,
]
