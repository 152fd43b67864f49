import type { FastifyInstance } from 'fastify'
import * as accessControl from './admin/access-control.ts'
import * as apiKey from './admin/api-key.ts'
import * as appSetting from './admin/app-setting.ts'
import * as entraMeta from './admin/entra-meta/operations.ts'
import { mountPublicMeta } from './admin/entra-meta/public-meta.ts'
import { openSignOn } from './admin/entra-meta/sign-on.ts'
import * as tenant from './admin/tenant.ts'
import * as user from './admin/user.ts'
import * as userGroup from './admin/user-group.ts'
import * as userIdentity from './admin/user-identity.ts'
import * as userPassword from './admin/user-password.ts'
import * as clock from './automation/clock/clock.ts'
import * as notification from './automation/notification.ts'
import * as workProcess from './automation/process/operations.ts'
import * as rule from './automation/rule/rule.ts'
import * as area from './containers/area.ts'
import * as board from './containers/board.ts'
import * as constraint from './containers/constraint.ts'
import * as container from './containers/container.ts'
import * as containerFilter from './containers/container-filter.ts'
import * as contentTemplate from './containers/content-template/content-template.ts'
import * as cycle from './containers/cycle.ts'
import * as field from './containers/field/operations.ts'
import * as label from './containers/label.ts'
import { undoLabels } from './containers/label-items.ts'
import * as member from './containers/member.ts'
import * as screen from './containers/screen/operations.ts'
import * as document from './documents/document.ts'
import * as documentContent from './documents/document-content.ts'
import * as file from './documents/file/file.ts'
import * as folder from './documents/folder.ts'
import * as crm from './finance/crm.ts'
import * as nonBillable from './finance/non-billable.ts'
import * as reporting from './insight/reporting.ts'
import * as annotation from './items/annotation/operations.ts'
import * as boardCards from './items/board/board.ts'
import * as chat from './items/chat/operations.ts'
import * as constraintTrial from './items/constraint-trial.ts'
import * as containerCopy from './items/container-copy/container-copy.ts'
import * as cycleWork from './items/cycle/cycle.ts'
import * as filterGroups from './items/filter-groups.ts'
import * as filterRun from './items/filter-run.ts'
import * as item from './items/item/operations.ts'
import { undoItems } from './items/item/undo.ts'
import * as itemScreen from './items/item-screen.ts'
import * as link from './items/link/link.ts'
import * as linkType from './items/link/link-type.ts'
import * as merge from './items/merge/operations.ts'
import { undoMerges } from './items/merge/undo.ts'
import * as recurrence from './items/recurrence/recurrence.ts'
import * as itemSearch from './items/search/item-search.ts'
import * as search from './items/search/search.ts'
import * as templateRun from './items/template-run.ts'
import * as ticket from './items/ticket/operations.ts'
import * as timeline from './items/timeline.ts'
import * as viewing from './items/viewing.ts'
import * as watch from './items/watch/operations.ts'
import { openAuthentication } from './kernel/auth/authenticate.ts'
import { mountOAuth } from './kernel/auth/oauth/oauth.ts'
import { openSigningKeys } from './kernel/auth/signing-keys.ts'
import { openBlobs } from './kernel/blobs.ts'
import type { Database } from './kernel/database.ts'
import { mountDocs } from './kernel/docs-page/docs-page.ts'
import * as event from './kernel/event-log.ts'
import { mountHealth } from './kernel/health.ts'
import { type HttpOptions, mount, openHttp } from './kernel/http.ts'
import * as eventStream from './kernel/live/event-stream.ts'
import { openApi } from './kernel/openapi.ts'
import type { Routes } from './kernel/operation.ts'
import { type OutboundRules, openOutbound } from './kernel/outbound.ts'
import { openRateLimit } from './kernel/rate-limit.ts'
import type { Secrets } from './kernel/secrets.ts'
import type { Settings } from './kernel/settings.ts'
import { changeRoutes } from './kernel/undo/undo.ts'
import * as mailGeneral from './mail/mail-general.ts'
import * as time from './time/time.ts'

/** Every operation of the service, room by room: the table of contents. */
export const routes: Routes = {
  ...tenant.routes,
  ...user.routes,
  ...userPassword.routes,
  ...userGroup.routes,
  ...accessControl.routes,
  ...apiKey.routes,
  ...appSetting.routes,
  ...entraMeta.routes,
  ...userIdentity.routes,
  ...crm.routes,
  ...nonBillable.routes,
  ...document.routes,
  ...documentContent.routes,
  ...folder.routes,
  ...file.routes,
  ...time.routes,
  ...container.routes,
  ...member.routes,
  ...containerFilter.routes,
  ...area.routes,
  ...board.routes,
  ...cycle.routes,
  ...field.routes,
  ...label.routes,
  ...screen.routes,
  ...constraint.routes,
  ...contentTemplate.routes,
  ...item.routes,
  ...recurrence.routes,
  ...timeline.routes,
  ...annotation.routes,
  ...ticket.routes,
  ...viewing.routes,
  ...merge.routes,
  ...filterRun.routes,
  ...filterGroups.routes,
  ...chat.routes,
  ...watch.routes,
  ...itemSearch.routes,
  ...search.routes,
  ...itemScreen.routes,
  ...constraintTrial.routes,
  ...templateRun.routes,
  ...linkType.routes,
  ...link.routes,
  ...boardCards.routes,
  ...cycleWork.routes,
  ...containerCopy.routes,
  ...mailGeneral.routes,
  ...clock.routes,
  ...workProcess.routes,
  ...rule.routes,
  ...notification.routes,
  ...reporting.routes,
  ...changeRoutes({ Item: undoItems, Label: undoLabels }, undoMerges),
  ...event.routes,
  ...eventStream.routes,
}

export interface AppOptions {
  settings: Settings
  database: Database
  secrets: Secrets
  log: (line: Record<string, unknown>) => void
  /** The metrics of all processes, where there are several. */
  metrics?: () => Promise<string>
}

/** Puts the house together: one web server with all rooms in it. */
export async function buildApp({ settings, database, secrets, log, metrics }: AppOptions): Promise<FastifyInstance> {
  const baseUrl = settings.baseUrl
  const signingKeys = await openSigningKeys(database, {
    seal: text => secrets.sealText('signing-keys', text),
    unseal: text => secrets.openText('signing-keys', text),
  })
  const rules: OutboundRules = { http: settings.outboundHttp, allow: settings.outboundAllow }
  const options: HttpOptions = {
    database,
    bodyLimit: settings.bodyLimit,
    secrets,
    outbound: rules,
    blobs: openBlobs(settings),
    baseUrl: () => baseUrl,
    rateLimit: openRateLimit(Math.ceil(settings.rateLimit / settings.workers)),
    log,
    authenticate: async () => {
      throw new Error('nobody is authenticated before the authorisation server is mounted')
    },
  }
  const app = openHttp(options)
  const outbound = openOutbound(rules)
  app.addHook('onClose', () => outbound.close())
  // Raw routes, each for its reason: OAuth speaks forms, cookies and pages; health, the documentation and how to sign in
  // need no caller.
  const { verifyAccessToken } = await mountOAuth(app, {
    database,
    baseUrl,
    signingKeys,
    log,
    // Each process counts for itself, and together they must not allow more.
    attemptsPerMinute: Math.max(1, Math.floor(20 / settings.workers)),
    signOn: openSignOn({ database, secrets, outbound, rules, log }),
  })
  mountPublicMeta(app, database)
  options.authenticate = openAuthentication(database, verifyAccessToken)
  options.observe = mountHealth(app, { database, ...(metrics ? { metrics } : {}) })
  mount(app, routes, options)
  mountDocs(app, JSON.stringify(openApi(routes, baseUrl)))
  return app
}
