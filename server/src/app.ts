import type { FastifyInstance } from 'fastify'
import * as accessControl from './admin/access-control.ts'
import * as apiKey from './admin/api-key.ts'
import * as appSetting from './admin/app-setting.ts'
import * as tenant from './admin/tenant.ts'
import * as user from './admin/user.ts'
import * as userGroup from './admin/user-group.ts'
import * as userPassword from './admin/user-password.ts'
import * as clock from './automation/clock/clock.ts'
import * as notification from './automation/notification.ts'
import * as workProcess from './automation/process.ts'
import * as rule from './automation/rule/rule.ts'
import * as area from './containers/area.ts'
import * as container from './containers/container.ts'
import * as containerFilter from './containers/container-filter.ts'
import * as field from './containers/field/field.ts'
import * as document from './documents/document.ts'
import * as documentContent from './documents/document-content.ts'
import * as file from './documents/file/file.ts'
import * as folder from './documents/folder.ts'
import * as crm from './finance/crm.ts'
import * as nonBillable from './finance/non-billable.ts'
import * as reporting from './insight/reporting.ts'
import * as filterRun from './items/filter-run.ts'
import * as item from './items/item/operations.ts'
import { openAuthentication } from './kernel/auth/authenticate.ts'
import { mountOAuth } from './kernel/auth/oauth/oauth.ts'
import { openSigningKeys } from './kernel/auth/signing-keys.ts'
import { openBlobs } from './kernel/blobs.ts'
import type { Database } from './kernel/database.ts'
import { mountDocs } from './kernel/docs-page/docs-page.ts'
import * as event from './kernel/event-log.ts'
import { mountHealth } from './kernel/health.ts'
import { type HttpOptions, mount, openHttp } from './kernel/http.ts'
import { openApi } from './kernel/openapi.ts'
import type { Routes } from './kernel/operation.ts'
import { openRateLimit } from './kernel/rate-limit.ts'
import type { Secrets } from './kernel/secrets.ts'
import type { Settings } from './kernel/settings.ts'
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
  ...crm.routes,
  ...nonBillable.routes,
  ...document.routes,
  ...documentContent.routes,
  ...folder.routes,
  ...file.routes,
  ...time.routes,
  ...container.routes,
  ...containerFilter.routes,
  ...area.routes,
  ...field.routes,
  ...item.routes,
  ...filterRun.routes,
  ...mailGeneral.routes,
  ...clock.routes,
  ...workProcess.routes,
  ...rule.routes,
  ...notification.routes,
  ...reporting.routes,
  ...event.routes,
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
  const options: HttpOptions = {
    database,
    bodyLimit: settings.bodyLimit,
    secrets,
    outbound: { http: settings.outboundHttp, allow: settings.outboundAllow },
    blobs: openBlobs(settings),
    baseUrl: () => baseUrl,
    rateLimit: openRateLimit(Math.ceil(settings.rateLimit / settings.workers)),
    log,
    authenticate: async () => {
      throw new Error('nobody is authenticated before the authorisation server is mounted')
    },
  }
  const app = openHttp(options)
  // Raw routes, each for its reason: OAuth speaks forms, cookies and pages, health and the documentation need no caller.
  const { verifyAccessToken } = await mountOAuth(app, {
    database,
    baseUrl,
    signingKeys,
    log,
    // Each process counts for itself, and together they must not allow more.
    attemptsPerMinute: Math.max(1, Math.floor(20 / settings.workers)),
  })
  options.authenticate = openAuthentication(database, verifyAccessToken)
  options.observe = mountHealth(app, { database, ...(metrics ? { metrics } : {}) })
  mount(app, routes, options)
  mountDocs(app, JSON.stringify(openApi(routes, baseUrl)))
  return app
}
