import type { FastifyInstance } from 'fastify'
import * as accessControl from './admin/access-control/access-control.ts'
import * as accessRole from './admin/access-control/access-role.ts'
import * as accessExplain from './admin/access-control/explain.ts'
import * as apiKey from './admin/api-key.ts'
import * as auditLog from './admin/audit-log.ts'
import { configurationRoutes } from './admin/configuration/configuration.ts'
import * as entraMeta from './admin/entra-meta/entra-meta-operations.ts'
import { mountPublicMeta } from './admin/entra-meta/public-meta.ts'
import { openSignOn } from './admin/entra-meta/sign-on/sign-on.ts'
import * as rate from './admin/rate/rate.ts'
import * as appSetting from './admin/setting/app-setting.ts'
import { brandOf, mountPublicConfig } from './admin/setting/public-config.ts'
import { tenantRoutes } from './admin/tenant/tenant-operations.ts'
import * as userInvitation from './admin/user/invitation/invitation.ts'
import { mountInvitations } from './admin/user/invitation/invitation-page.ts'
import { mountForgottenPassword } from './admin/user/sign-in/forgotten-password.ts'
import * as passkey from './admin/user/sign-in/passkey-operations.ts'
import * as userPassword from './admin/user/sign-in/password.ts'
import * as secondFactor from './admin/user/sign-in/second-factor-operations.ts'
import * as secondFactorState from './admin/user/sign-in/second-factor-state.ts'
import * as userSession from './admin/user/sign-in/session-operations.ts'
import { undoUsers } from './admin/user/undo-users.ts'
import * as user from './admin/user/user-operations.ts'
import * as userGroup from './admin/user-group/user-group-operations.ts'
import * as userIdentity from './admin/user-identity.ts'
import * as userLeaving from './admin/user-leaving.ts'
import { codeTables } from './app/code-tables.ts'
import { configurationKinds, externalReferences } from './app/configuration-kinds.ts'
import { ownNotices } from './app/own-notices.ts'
import { mountAccessLog } from './app/routes/access-log.ts'
import { audited } from './app/routes/audited-routes.ts'
import { mountRoutes } from './app/routes/mount-routes.ts'
import { unauthenticatedRoutes } from './app/routes/unauthenticated-routes.ts'
import * as sample from './app/sample/sample.ts'
import { undoSample } from './app/sample/undo-sample.ts'
import { beginTenant, seedTenant } from './app/seed-tenant.ts'
import { openServices } from './app/services.ts'
import { weekSources } from './app/week-sources.ts'
import * as clock from './clocks/clock/clock-operations.ts'
import { clockState } from './clocks/item-clock/item-clock.ts'
import * as area from './containers/area/area.ts'
import * as board from './containers/board/board.ts'
import * as constraint from './containers/constraint/constraint.ts'
import * as container from './containers/container/container.ts'
import * as member from './containers/container/member.ts'
import { undoContainerDeletion, undoContainers } from './containers/container/undo-containers.ts'
import * as containerFilter from './containers/container-filter/container-filter.ts'
import * as contentTemplate from './containers/content-template/content-template.ts'
import * as cycle from './containers/cycle/cycle.ts'
import * as field from './containers/field/field-operations.ts'
import * as label from './containers/label/label.ts'
import { undoLabelDeletion, undoLabels } from './containers/label/undo-labels.ts'
import * as screen from './containers/screen/screen-operations.ts'
import * as annotation from './desk/annotation/annotation-operations.ts'
import { undoAnnotations } from './desk/annotation/undo-annotations.ts'
import { withOpenItem } from './desk/card/open-item.ts'
import * as chat from './desk/chat/room-operations.ts'
import * as comment from './desk/comment/comment.ts'
import * as merge from './desk/merge/merge-operations.ts'
import { undoMerges } from './desk/merge/undo-merge.ts'
import { undoSplit } from './desk/merge/undo-split.ts'
import * as viewing from './desk/presence.ts'
import * as templateRun from './desk/template/template.ts'
import * as ticket from './desk/ticket/ticket-operations.ts'
import { undoTickets } from './desk/ticket/undo-tickets.ts'
import * as timeline from './desk/timeline.ts'
import { undoWatches } from './desk/watch/undo-watches.ts'
import * as watch from './desk/watch/watch-operations.ts'
import * as documentCopy from './documents/document/copy-document.ts'
import * as document from './documents/document/document.ts'
import * as documentContent from './documents/document/document-content.ts'
import * as documentLinks from './documents/document/document-links.ts'
import { undoContents, undoDocuments } from './documents/document/undo-documents.ts'
import * as documentVersion from './documents/document/version/document-version.ts'
import * as documentExport from './documents/export/export.ts'
import * as file from './documents/file/file.ts'
import * as folder from './documents/folder.ts'
import { migrationRoutes } from './documents/storage/migration/migration.ts'
import * as outboundStorage from './documents/storage/storage-operations.ts'
import { usageRoutes } from './documents/storage/storage-usage.ts'
import { undoStorages } from './documents/storage/write-storage.ts'
import * as event from './engine/live/event-log-operations.ts'
import * as eventStream from './engine/live/event-stream-operations.ts'
import { openLive } from './engine/live/live.ts'
import { changeRoutes } from './engine/undo/undo.ts'
import { billingRoutes } from './finance/billing/billing.ts'
import * as budget from './finance/budget/budget.ts'
import { balanceRoutes } from './finance/budget/budget-balance.ts'
import * as budgetEntry from './finance/budget/budget-entry.ts'
import * as budgetReason from './finance/budget-reason.ts'
import * as contract from './finance/contract/contract.ts'
import * as costCenter from './finance/cost-center/cost-center.ts'
import * as costCenterSummary from './finance/cost-center/cost-center-summary.ts'
import * as crm from './finance/crm/crm.ts'
import { summaryRoutes } from './finance/crm/crm-summary.ts'
import { mergeRoutes } from './finance/crm/merge-crm.ts'
import * as invoice from './finance/invoice/invoice.ts'
import { invoiceState } from './finance/invoice/invoice-record.ts'
import * as invoiceSeries from './finance/invoice/invoice-series.ts'
import * as jobRole from './finance/job-role.ts'
import * as multiplier from './finance/multiplier.ts'
import * as nonBillable from './finance/non-billable.ts'
import * as sku from './finance/sku.ts'
import { openAuthentication } from './identity/authenticate.ts'
import * as calendarFeed from './identity/calendar-feed/calendar-feed.ts'
import { hidingKinds } from './identity/field-limit/hidden-fields.ts'
import { mountOAuth } from './identity/oauth/oauth.ts'
import { openSigningKeys } from './identity/signing-keys/signing-keys.ts'
import { signingKeySeal } from './identity/signing-keys/stored-keys.ts'
import { webCookies } from './identity/web-session/web-cookie.ts'
import { mountWebSignIn } from './identity/web-session/web-sign-in.ts'
import { exported } from './insight/export/exported.ts'
import { metaRoutes } from './insight/meta/meta.ts'
import { mountMeta } from './insight/meta/mount-meta.ts'
import * as myWork from './insight/my-work/my-work.ts'
import * as insightQuery from './insight/query/query.ts'
import * as reports from './insight/report/reports.ts'
import { skippedDrill } from './insight/report/time/skipped-time.ts'
import * as reporting from './insight/reporting.ts'
import * as savedRun from './insight/saved/run-saved.ts'
import * as savedReport from './insight/saved/saved-report.ts'
import * as search from './insight/search/search.ts'
import * as breakGlass from './items/break-glass.ts'
import * as constraintTrial from './items/constraints/constraint-trial.ts'
import * as item from './items/item-operations/item-operations.ts'
import { withItemKeys } from './items/keys/item-keys.ts'
import * as link from './items/link/link-operations.ts'
import * as linkType from './items/link/link-type.ts'
import * as itemScreen from './items/screen/item-screen.ts'
import * as itemSearch from './items/search/item-search.ts'
import { undoItems } from './items/undo/undo.ts'
import type { Database } from './kernel/database.ts'
import { openHttp } from './kernel/http/http.ts'
import type { HttpOptions, Observe } from './kernel/http/http-options.ts'
import type { Routes } from './kernel/operation.ts'
import { sql } from './kernel/sql.ts'
import * as mailGeneral from './mail/mail-general-operations.ts'
import * as mailMessage from './mail/mail-message/mail-message-operations.ts'
import * as mailSuppression from './mail/mail-suppression.ts'
import * as mailbox from './mail/mailbox/mailbox-operations.ts'
import { undoMailboxes } from './mail/mailbox/write-mailbox.ts'
import { mailPurpose } from './mail/outbound-mail/outbound-mail.ts'
import * as outboundMail from './mail/outbound-mail/outbound-mail-operations.ts'
import { undoMails, withTheirMails } from './mail/outbound-mail/undo-mails.ts'
import { queueMail } from './mail/queue-mail.ts'
import { mountUnsubscribe, type Unsubscribers } from './mail/unsubscribe.ts'
import { eventTopic } from './notify/event-labels.ts'
import * as hook from './notify/hook/hook-operations.ts'
import { digestTopic, unsubscribeFromDigests, unsubscribeFromEvents } from './notify/inbox/digest.ts'
import * as inbox from './notify/inbox/inbox-operations.ts'
import { unsubscribeFromWatch, watchTopic } from './notify/inbox/watch-mail.ts'
import * as notification from './notify/notification/notification-operations.ts'
import { notificationTopic, unsubscribeFromNotification } from './notify/notification/send-task.ts'
import * as preference from './notify/preference/preference-operations.ts'
import * as allocation from './plan/allocation/allocation-operations.ts'
import * as baseline from './plan/baseline/baseline-operations.ts'
import { mountCalendarFeeds } from './plan/calendar-feed/calendar-feed.ts'
import * as userCapacity from './plan/capacity/user-capacity.ts'
import * as leaveAllowance from './plan/leave/leave-allowance.ts'
import * as leave from './plan/leave/leave-operations.ts'
import * as timeBalance from './plan/leave/time-balance.ts'
import { committedOn } from './plan/load/committed.ts'
import * as portfolio from './plan/portfolio/portfolio-operation.ts'
import { rowsFor, scenarioQuery } from './plan/scenario/scenario.ts'
import * as scenario from './plan/scenario/scenario-operations.ts'
import { undoScenarios } from './plan/scenario/undo-scenarios.ts'
import * as planSchedule from './plan/schedule/schedule-operation.ts'
import * as boardCards from './planning/board/board.ts'
import * as containerCopy from './planning/container-copy/container-copy.ts'
import * as cycleWork from './planning/cycle/cycle.ts'
import * as itemCount from './planning/filter/count-items.ts'
import * as filterGroups from './planning/filter/filter-groups.ts'
import * as filterRun from './planning/filter/filter-run.ts'
import * as moveItems from './planning/move/move.ts'
import * as recurrence from './planning/recurrence/recurrence.ts'
import * as userWork from './planning/user/user.ts'
import * as userGroupUse from './planning/user-group/user-group.ts'
import { diskOf, onDisk } from './platform/disk/disk.ts'
import { mountDocs } from './platform/docs-page/docs-page.ts'
import { mountHealth } from './platform/health.ts'
import { openApi } from './platform/openapi/openapi.ts'
import { openOutbound } from './platform/outbound/outbound.ts'
import { type Allowances, openAllowances } from './platform/requests/allowances.ts'
import { mountCompression } from './platform/requests/compression.ts'
import { readForm } from './platform/requests/form.ts'
import { idempotently } from './platform/requests/idempotency.ts'
import { openRateLimit } from './platform/requests/rate-limit.ts'
import type { Secrets } from './platform/secrets.ts'
import { outboundRules, type Settings } from './platform/settings.ts'
import { mountWebApp } from './platform/web-app/web-app.ts'
import * as approval from './rules/approval/approval-operations.ts'
import { undoApprovals } from './rules/approval/undo-approvals.ts'
import * as workProcess from './rules/process/process-operations.ts'
import * as rule from './rules/rule/rule-operations.ts'
import { mountRuleCalls } from './rules/rule/triggers/inbound-call.ts'
import * as timeBulk from './time/bulk/bulk.ts'
import * as timeCalendar from './time/calendar/calendar.ts'
import * as timeClosing from './time/closed/closing.ts'
import * as timeCorrection from './time/correction/correction.ts'
import * as timeDelegation from './time/delegation/delegation.ts'
import * as time from './time/entry/entry-routes.ts'
import * as reprice from './time/entry/price/reprice.ts'
import { undoTimes } from './time/entry/undo-times.ts'
import * as timesheet from './time/sheet/sheet-operations.ts'
import { undoSheets } from './time/sheet/undo-sheets.ts'
import * as timer from './time/timer/timer-operations.ts'
import { undoTimers } from './time/timer/undo-timers.ts'
import { weekRoutes } from './time/week/week-operations.ts'

/** The operations of the rooms. */
const rooms: Routes = {
  ...tenantRoutes(seedTenant),
  ...sample.routes,
  ...user.routes,
  ...userPassword.routes,
  ...secondFactor.routes,
  ...passkey.routes,
  ...secondFactorState.routes,
  ...userSession.routes,
  ...calendarFeed.routes,
  ...userInvitation.routes,
  ...userLeaving.routes,
  ...userGroup.routes,
  ...accessControl.routes,
  ...accessRole.routes,
  ...accessExplain.routes,
  ...apiKey.routes,
  ...appSetting.routes,
  ...auditLog.routes,
  ...entraMeta.routes,
  ...userIdentity.routes,
  ...crm.routes,
  ...summaryRoutes(clockState),
  ...mergeRoutes({
    Time: timeClosing.isOpenTime,
    Invoice: t => sql`${t}.state <> ${invoiceState.issued}`,
  }),
  ...budget.routes,
  ...budgetEntry.routes,
  ...balanceRoutes({ committed: committedOn, scenarioQuery, rowsFor }),
  ...contract.routes,
  ...invoiceSeries.routes,
  ...billingRoutes(skippedDrill),
  ...invoice.routes,
  ...nonBillable.routes,
  ...jobRole.routes,
  ...costCenter.routes,
  ...costCenterSummary.routes,
  ...rate.routes,
  ...multiplier.routes,
  ...budgetReason.routes,
  ...sku.routes,
  ...document.routes,
  ...documentCopy.routes,
  ...documentContent.routes,
  ...documentVersion.routes,
  ...documentLinks.routes,
  ...documentExport.routes,
  ...folder.routes,
  ...file.routes,
  ...usageRoutes,
  ...outboundStorage.routes,
  ...migrationRoutes,
  ...timeCalendar.routes,
  ...timesheet.routes,
  ...timeDelegation.routes,
  ...timeClosing.routes,
  ...timeCorrection.routes,
  ...timeBulk.routes,
  ...time.routes,
  ...timer.routes,
  ...reprice.routes,
  ...weekRoutes(weekSources),
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
  ...comment.routes,
  ...ticket.routes,
  ...viewing.routes,
  ...userWork.routes,
  ...userGroupUse.routes,
  ...merge.routes,
  ...filterRun.routes,
  ...filterGroups.routes,
  ...itemCount.routes,
  ...chat.routes,
  ...watch.routes,
  ...itemSearch.routes,
  ...search.routes,
  ...breakGlass.routes,
  ...itemScreen.routes,
  ...constraintTrial.routes,
  ...templateRun.routes,
  ...linkType.routes,
  ...link.routes,
  ...boardCards.routes,
  ...moveItems.routes,
  ...cycleWork.routes,
  ...containerCopy.routes,
  ...mailGeneral.routes,
  ...mailbox.routes,
  ...mailMessage.routes,
  ...outboundMail.routes,
  ...mailSuppression.routes,
  ...clock.routes,
  ...userCapacity.routes,
  ...planSchedule.routes,
  ...baseline.routes,
  ...portfolio.routes,
  ...scenario.routes,
  ...allocation.routes,
  ...leave.routes,
  ...leaveAllowance.routes,
  ...timeBalance.routes,
  ...workProcess.routes,
  ...rule.routes,
  ...approval.routes,
  ...notification.routes,
  ...inbox.routes,
  ...preference.routes,
  ...hook.routes,
  ...reporting.routes,
  ...myWork.routes,
  ...insightQuery.routes,
  ...reports.routes,
  ...savedReport.routes,
  ...savedRun.routes,
  ...changeRoutes({
    byKind: {
      Item: undoItems,
      User: undoUsers,
      Container: undoContainers,
      Label: undoLabels,
      Approval: undoApprovals,
      Annotation: withTheirMails(undoAnnotations),
      Ticket: undoTickets,
      Watch: undoWatches,
      Time: undoTimes,
      Timer: undoTimers,
      Timesheet: undoSheets,
      TimeClosing: timeClosing.undoClosing,
      OutboundMail: undoMails,
      Scenario: undoScenarios,
      Invoice: invoice.undoInvoices,
      Document: undoDocuments,
      DocumentContent: undoContents,
      OutboundStorage: undoStorages,
      Mailbox: undoMailboxes,
    },
    whole: [undoMerges, undoSplit, undoSample, undoContainerDeletion, undoLabelDeletion],
  }),
  ...event.routes,
  ...eventStream.routes,
}

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

/** Every operation of the service. The last ones describe the others. */
export const routes: Routes = withItemKeys(
  audited({
    ...exported(withOpenItem(rooms), [
      ...exportedLists,
      ...Object.keys({ ...insightQuery.routes, ...reports.routes, ...savedRun.routes }),
    ]),
    ...configurationRoutes({ kinds: configurationKinds, outside: externalReferences, routes: rooms }),
    ...metaRoutes(rooms, codeTables),
  }),
)

/** The OpenAPI document of all routes. */
export const apiDocument = (baseUrl: string) => openApi(routes, baseUrl, { open: unauthenticatedRoutes, hidingKinds })

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
  mountWebSignIn(app, { database, baseUrl, derive: signingKeys.derive, verifyAccessToken })
  const authenticate = openAuthentication(database, verifyAccessToken, webCookies(baseUrl))
  options.authenticate = noting?.(authenticate) ?? authenticate
  mountHealth(app, database, disk)
  mountMeta(app, { authenticate: request => options.authenticate(request), settings, routes })
  mountRoutes(app, routes, options)
  mountWebApp(app)
  mountDocs(app, () => JSON.stringify(apiDocument(baseUrl)))
  return app
}
