import * as area from '../../containers/area/area.ts'
import * as board from '../../containers/board/board.ts'
import * as constraint from '../../containers/constraint/constraint.ts'
import * as container from '../../containers/container/container.ts'
import * as member from '../../containers/container/member.ts'
import * as containerFilter from '../../containers/container-filter/container-filter.ts'
import * as contentTemplate from '../../containers/content-template/content-template.ts'
import * as cycle from '../../containers/cycle/cycle.ts'
import * as field from '../../containers/field/field-operations.ts'
import * as label from '../../containers/label/label.ts'
import * as requestType from '../../containers/screen/request-type.ts'
import * as screen from '../../containers/screen/screen-operations.ts'
import type { Routes } from '../../kernel/operation.ts'

/** Containers and what they define for their items. */
export const containersRoutes: Routes = {
  ...container.routes,
  ...member.routes,
  ...containerFilter.routes,
  ...area.routes,
  ...board.routes,
  ...cycle.routes,
  ...field.routes,
  ...label.routes,
  ...screen.routes,
  ...requestType.routes,
  ...constraint.routes,
  ...contentTemplate.routes,
}
