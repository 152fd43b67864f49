import type { Routes } from '../../kernel/operation.ts'
import * as boardCards from '../../planning/board/board.ts'
import * as bulk from '../../planning/bulk/bulk.ts'
import * as compareItems from '../../planning/compare/compare-items.ts'
import * as constraintTrial from '../../planning/constraint-trial/constraint-trial.ts'
import * as containerCopy from '../../planning/container-copy/container-copy.ts'
import * as copyItem from '../../planning/copy/copy.ts'
import * as cycleWork from '../../planning/cycle/cycle.ts'
import * as itemCount from '../../planning/filter/count-items.ts'
import * as filterGroups from '../../planning/filter/filter-groups.ts'
import * as filterRun from '../../planning/filter/filter-run.ts'
import * as moveItems from '../../planning/move/move.ts'
import * as recurrence from '../../planning/recurrence/recurrence.ts'
import * as similar from '../../planning/similar/similar.ts'
import * as userWork from '../../planning/user/user.ts'
import * as userGroupUse from '../../planning/user-group/user-group.ts'

/** Boards, cycles, filters and other work with many items. */
export const planningRoutes: Routes = {
  ...similar.routes,
  ...bulk.routes,
  ...recurrence.routes,
  ...userWork.routes,
  ...userGroupUse.routes,
  ...filterRun.routes,
  ...filterGroups.routes,
  ...itemCount.routes,
  ...compareItems.routes,
  ...constraintTrial.routes,
  ...boardCards.routes,
  ...moveItems.routes,
  ...cycleWork.routes,
  ...copyItem.routes,
  ...containerCopy.routes,
}
