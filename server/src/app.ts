import type { FastifyInstance } from 'fastify'
import { mountPublicMeta } from './admin/entra-meta/public-meta.ts'
import { openSignOn } from './admin/entra-meta/sign-on/sign-on.ts'
import { openCorsOrigins } from './admin/setting/cors-origins.ts'
import { branding, brandOf, mountPublicConfig } from './admin/setting/public-config.ts'
import { mountInvitations } from './admin/user/invitation/invitation-page.ts'
import { mountForgottenPassword } from './admin/user/sign-in/forgotten-password.ts'
import { ownNotices } from './app/own-notices.ts'
import { mountAccessLog } from './app/routes/access-log.ts'
import { mountRoutes } from './app/routes/mount-routes.ts'
import { apiDocument, routes } from './app/routes/routes.ts'
import * as sample from './app/sample/sample.ts'
import { beginTenant, welcomeFirstUser } from './app/seed-tenant.ts'
import { openServices } from './app/services.ts'
import { openLive } from './engine/live/live.ts'
import { openAuthentication } from './identity/authenticate.ts'
import { mountOAuth } from './identity/oauth/oauth.ts'
import { openSigningKeys } from './identity/signing-keys/signing-keys.ts'
import { signingKeySeal } from './identity/signing-keys/stored-keys.ts'
import { webCookies } from './identity/web-session/web-cookie.ts'
import { mountWebSignIn } from './identity/web-session/web-sign-in.ts'
import { mountMeta } from './insight/meta/mount-meta.ts'
import type { Database } from './kernel/database.ts'
import { openHttp } from './kernel/http/http.ts'
import type { HttpOptions, Observe } from './kernel/http/http-options.ts'
import { mailPurpose } from './mail/outbound-mail/outbound-mail.ts'
import { queueMail } from './mail/queue-mail.ts'
import { mountUnsubscribe, type Unsubscribers } from './mail/unsubscribe.ts'
import { eventTopic } from './notify/event-labels.ts'
import { digestTopic, unsubscribeFromDigests, unsubscribeFromEvents } from './notify/inbox/digest.ts'
import { unsubscribeFromWatch, watchTopic } from './notify/inbox/watch-mail.ts'
import { notificationTopic, unsubscribeFromNotification } from './notify/notification/send-task.ts'
import { mountCalendarFeeds } from './plan/calendar-feed/calendar-feed.ts'
import { diskOf, onDisk } from './platform/disk/disk.ts'
import { mountDocs } from './platform/docs-page/docs-page.ts'
import { mountHealth } from './platform/health.ts'
import { openOutbound } from './platform/outbound/outbound.ts'
import { type Allowances, openAllowances } from './platform/requests/allowances.ts'
import { mountCompression } from './platform/requests/compression.ts'
import { mountCors } from './platform/requests/cors.ts'
import { readForm } from './platform/requests/form.ts'
import { idempotently } from './platform/requests/idempotency.ts'
import { mountJson } from './platform/requests/json.ts'
import { openRateLimit } from './platform/requests/rate-limit.ts'
import type { Secrets } from './platform/secrets.ts'
import { outboundRules, type Settings } from './platform/settings.ts'
import { mountWebApp } from './platform/web-app/web-app.ts'
import { mountGuests } from './portal/guest/mount-guests.ts'
import { mountPortal } from './portal/portal.ts'
import { mountRuleCalls } from './rules/rule/triggers/inbound-call.ts'

/** The unsubscribers of the one-click links in mails, by the topic that the link names. */
const unsubscribers: Unsubscribers = new Map([
  [notificationTopic, unsubscribeFromNotification],
  [watchTopic, unsubscribeFromWatch],
  [digestTopic, unsubscribeFromDigests],
  [eventTopic, unsubscribeFromEvents],
])

export interface AppOptions {
  settings: Settings
  database: Database
  secrets: Secrets
  log: (line: Record<string, unknown>) => void
  /** What tenants may ask in a minute; shared with the other processes of the node. */
  allowances?: Allowances
  /** Records the requests of each route. */
  observe?: Observe
}

/** Builds the application: one web server with the routes of all rooms. */
export async function buildApp({
  settings,
  database: given,
  secrets,
  log,
  allowances = openAllowances(),
  observe,
}: AppOptions): Promise<FastifyInstance> {
  const baseUrl = settings.baseUrl
  const signingKeys = await openSigningKeys(given, signingKeySeal(secrets))
  const rules = outboundRules(settings)
  const disk = diskOf(settings)
  // An external database has a disk of its own.
  const onOwnDisk = settings.databaseUrl ? given : onDisk(given, disk)
  const served = onOwnDisk.serving(openServices(settings, secrets))
  const live = openLive({
    database: served,
    authenticate: request => options.authenticate(request),
    log,
    ownNotices,
  })
  const database = served.serving({ live })
  const options: HttpOptions = {
    database,
    bodyLimit: settings.bodyLimit,
    trustProxy: settings.trustProxy,
    baseUrl: () => baseUrl,
    idempotently,
    readForm,
    rateLimit: openRateLimit(settings.rateLimit, allowances),
    log,
    ...(observe ? { observe } : {}),
    authenticate: async () => {
      throw new Error('nobody is authenticated before the authorisation server is mounted')
    },
  }
  const app = openHttp(options)
  const sharing = mountCors(app, { operator: settings.corsOrigins, ...openCorsOrigins(database) })
  mountJson(app)
  mountCompression(app)
  const noting = settings.accessLog ? mountAccessLog(app, log) : undefined
  if (settings.hstsSeconds > 0)
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('strict-transport-security', `max-age=${settings.hstsSeconds}`)
      done()
    })
  const outbound = openOutbound(rules)
  app.addHook('preClose', live.close)
  app.addHook('onClose', () => outbound.close())
  // Routes that are mounted directly: OAuth uses forms, cookies and pages; health, the documentation and the sign-in
  // information need no caller.
  const { verifyAccessToken, tickets } = await mountOAuth(app, {
    database,
    baseUrl,
    signingKeys,
    log,
    // Each process counts separately, and their sum must not exceed the limit.
    attemptsPerMinute: Math.max(1, Math.floor(20 / settings.workers)),
    externalSignIn: openSignOn({ database, outbound, log }),
    brandOf: workspace => brandOf(database, workspace),
  })
  mountPublicMeta(app, database)
  mountPublicConfig(app, { database, baseUrl })
  mountUnsubscribe(app, { database, secrets, unsubscribers })
  // Each process counts separately, and their sum must not exceed the limit.
  const perMinute = Math.max(1, Math.floor(20 / settings.workers))
  mountInvitations(app, {
    database,
    baseUrl,
    perMinute,
    tickets,
    beginTenant,
    loadSample: holder => sample.loadForFirstUser(database, holder, log),
  })
  mountForgottenPassword(app, {
    database,
    baseUrl,
    perMinute,
    log,
    sendMail: (ctx, { to, ...mail }) =>
      queueMail(ctx, { to: [to], ...mail, auto: true, purpose: mailPurpose.notification }),
  })
  mountRuleCalls(app, database, Math.max(1, Math.floor(60 / settings.workers)))
  mountCalendarFeeds(app, database, Math.max(1, Math.floor(60 / settings.workers)))
  mountGuests(app, {
    ...{ database, secrets, baseUrl, brandOf: branding },
    perMinute: Math.max(1, Math.floor(120 / settings.workers)),
  })
  mountPortal(app, { database, baseUrl, brandOf: branding, perMinute: Math.max(1, Math.floor(240 / settings.workers)) })
  mountWebSignIn(app, {
    database,
    baseUrl,
    derive: signingKeys.derive,
    verifyAccessToken,
    welcome: (who, locale) => welcomeFirstUser(database, who, locale, log),
  })
  const authenticate = openAuthentication(database, verifyAccessToken, webCookies(baseUrl))
  options.authenticate = sharing(noting?.(authenticate) ?? authenticate)
  mountHealth(app, database, disk)
  mountMeta(app, { authenticate: request => options.authenticate(request), settings, routes })
  mountRoutes(app, routes, options)
  mountWebApp(app)
  mountDocs(app, () => JSON.stringify(apiDocument(baseUrl)))
  return app
}
