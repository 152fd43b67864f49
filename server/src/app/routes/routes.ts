import { withOpenItem } from '../../desk/card/open-item.ts'
import { configurationRoutes } from '../../engine/configuration/configuration.ts'
import { hidingKinds } from '../../identity/field-limit/hidden-fields.ts'
import { exported } from '../../insight/export/exported.ts'
import { metaRoutes } from '../../insight/meta/meta.ts'
import * as insightQuery from '../../insight/query/query.ts'
import * as reports from '../../insight/report/reports.ts'
import * as savedRun from '../../insight/saved/run-saved.ts'
import { withItemKeys } from '../../items/keys/item-keys.ts'
import type { Routes } from '../../kernel/operation.ts'
import { openApi } from '../../platform/openapi/openapi.ts'
import { withCodeNames } from '../../platform/requests/code-names.ts'
import { withBatch } from '../batch/batch.ts'
import { withBulk } from '../bulk/bulk.ts'
import { codeTablesOf } from '../code-tables.ts'
import { configurationKinds, externalReferences } from '../configuration-kinds.ts'
import { adminRoutes } from '../rooms/admin.ts'
import { clocksRoutes } from '../rooms/clocks.ts'
import { containersRoutes } from '../rooms/containers.ts'
import { deskRoutes } from '../rooms/desk.ts'
import { documentsRoutes } from '../rooms/documents.ts'
import { engineRoutes } from '../rooms/engine.ts'
import { financeRoutes } from '../rooms/finance.ts'
import { insightRoutes } from '../rooms/insight.ts'
import { itemsRoutes } from '../rooms/items.ts'
import { mailRoutes } from '../rooms/mail.ts'
import { notifyRoutes } from '../rooms/notify.ts'
import { planRoutes } from '../rooms/plan.ts'
import { planningRoutes } from '../rooms/planning.ts'
import { portalRoutes } from '../rooms/portal.ts'
import { rulesRoutes } from '../rooms/rules.ts'
import { timeRoutes } from '../rooms/time.ts'
import { audited } from './audited-routes.ts'
import { withNamedReferences } from './named-references.ts'
import { withSpellings } from './spellings.ts'
import { unauthenticatedRoutes } from './unauthenticated-routes.ts'

/** The operations of the rooms, in the order in which rooms may import each other. */
const rooms: Routes = {
  ...adminRoutes,
  ...financeRoutes,
  ...documentsRoutes,
  ...timeRoutes,
  ...containersRoutes,
  ...itemsRoutes,
  ...planningRoutes,
  ...deskRoutes,
  ...mailRoutes,
  ...clocksRoutes,
  ...planRoutes,
  ...notifyRoutes,
  ...rulesRoutes,
  ...portalRoutes,
  ...insightRoutes,
  ...engineRoutes,
}

/** The operations of the rooms, which also take names of codes and of records. */
const named = withCodeNames(withNamedReferences(withSpellings(rooms)))

/** The lists that are also answered as CSV, NDJSON and XLSX, like queries and reports. */
const exportedLists = [
  'GET /item',
  'POST /item/search',
  'GET /container/:containerId/filter/:filterId/items',
  'GET /ticket',
  'GET /time',
  'GET /user',
  'GET /finance/crm',
]

/** All operations but the batch of them. The last ones describe the others. */
const served: Routes = {
  ...exported(withOpenItem(withBulk(named)), [
    ...exportedLists,
    ...Object.keys({ ...insightQuery.routes, ...reports.routes, ...savedRun.routes }),
  ]),
  ...configurationRoutes({ kinds: configurationKinds, outside: externalReferences, routes: rooms }),
  ...metaRoutes(rooms, () => codeTablesOf(rooms)),
}

/** Every operation of the service. The audit log has an entry for a whole batch, which is one change set. */
export const routes: Routes = withItemKeys(audited(withBatch(served, withItemKeys(served))))

/** The OpenAPI document of all routes. */
export const apiDocument = (baseUrl: string) => openApi(routes, baseUrl, { open: unauthenticatedRoutes, hidingKinds })
