import { eraseTenants } from '../admin/tenant/erase-tenants.ts'
import { recalculation } from '../clocks/clock/recalculation.ts'
import { holidayTask } from '../clocks/holiday/refresh.ts'
import { clockListener, itemClockTask } from '../clocks/item-clock/clock-listener.ts'
import { crossThresholds } from '../clocks/item-clock/cross-thresholds.ts'
import { chatRetention } from '../desk/chat/chat-retention.ts'
import { expirePresence } from '../desk/expire-presence.ts'
import { scanTask } from '../documents/file/file.ts'
import { sweepFiles } from '../documents/file/sweep-files.ts'
import { indexTask } from '../documents/file/text/index-file.ts'
import { sweepUploads } from '../documents/file/upload/sweep-uploads.ts'
import { storeBytesTask } from '../documents/storage/bytes/store-bytes-task.ts'
import { sweepCopies } from '../documents/storage/bytes/sweep-copies.ts'
import { migrationTask } from '../documents/storage/migration/migration-task.ts'
import { sealLog } from '../engine/audit-chain/audit-chain.ts'
import {
  type Engines,
  type EnginesOptions,
  type Listener,
  openEngines,
  type Task,
} from '../engine/dispatch/dispatch.ts'
import { housekeeping } from '../engine/recurring-jobs/housekeeping.ts'
import { openRecurringJobs, type RecurringJob } from '../engine/recurring-jobs/recurring-jobs.ts'
import { refreshStatistics } from '../engine/recurring-jobs/statistics.ts'
import { applyRetention, type RetentionRule } from '../engine/retention/retention.ts'
import { deletedItems, deletedRecords, logRetention } from '../engine/retention/retention-rules.ts'
import { undoRunTask } from '../engine/undo/run/undo-run-task.ts'
import { budgetListener, budgetTask } from '../finance/budget/budget-alerts.ts'
import { contractListener, contractTask } from '../finance/contract/contract-alerts.ts'
import { rotateOldSigningKeys } from '../identity/signing-keys/rotation.ts'
import { signingKeySeal } from '../identity/signing-keys/stored-keys.ts'
import { foldFlows } from '../insight/summary/fold-flow.ts'
import { archiveRetention } from '../items/item-operations/archive-retention.ts'
import { rebalanceRanks } from '../items/rank/rebalance.ts'
import type { Database } from '../kernel/database.ts'
import { openMailFetching } from '../mail/fetch-mailboxes.ts'
import { forgetMail, mailRetention } from '../mail/forget-mail.ts'
import { processMailTask } from '../mail/mail-message/process-task.ts'
import { replyListener, replyTask } from '../mail/outbound-mail/reply-listener.ts'
import { satisfactionListener, satisfactionTask } from '../mail/outbound-mail/satisfaction-mail.ts'
import { sendMailTask } from '../mail/outbound-mail/send-task.ts'
import { deliveryTask } from '../notify/delivery/delivery.ts'
import { forgetDeliveries } from '../notify/delivery/forget-deliveries.ts'
import { hookListener } from '../notify/hook/hook-listener.ts'
import { outageTask } from '../notify/hook/hook-outage.ts'
import { hookTask } from '../notify/hook/hook-task.ts'
import { digestTask } from '../notify/inbox/digest.ts'
import { inboxListener } from '../notify/inbox/inbox-listener.ts'
import { inboxTask } from '../notify/inbox/inbox-task.ts'
import { sweepInboxes } from '../notify/inbox/sweep-inboxes.ts'
import { watchMailTask } from '../notify/inbox/watch-mail.ts'
import { gainListener, gainTask } from '../notify/notification/gain-listener.ts'
import { runTask } from '../notify/notification/run-task.ts'
import { notificationSendTask } from '../notify/notification/send-task.ts'
import { warnOfMailboxes } from '../notify/warning/mailbox-warnings.ts'
import { overloadListener, overloadTask } from '../plan/load/overload.ts'
import { reportDue } from '../planning/due/report-due.ts'
import { repeatItems } from '../planning/recurrence/repeat-items.ts'
import { type OutboundOptions, openOutbound } from '../platform/outbound/outbound.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Settings } from '../platform/settings.ts'
import { followVisitorChats } from '../portal/chat/follow-chats.ts'
import { visitorChatRetention } from '../portal/chat/visitor-chat-retention.ts'
import { forgetSuggestions } from '../portal/knowledge/forget-suggestions.ts'
import { approvalEndingTask, approvalListener } from '../rules/approval/cancel-approvals.ts'
import { dryRunTask } from '../rules/rule/dry-run/job/dry-run-task.ts'
import { ruleLaterTask, ruleListener, ruleMissTask, ruleTask } from '../rules/rule/engine/listener.ts'
import { forgetRuleLog } from '../rules/rule/log/log-retention.ts'
import { ruleRunTask } from '../rules/rule/triggers/scheduled-run.ts'
import { keepTimesheets } from '../time/sheet/sheet-job.ts'
import { watchTimers } from '../time/timer/watch-timers.ts'
import { openServices } from './services.ts'
import { undoers } from './undoers.ts'

/** The listeners of the event log; see engine/dispatch/dispatch.ts. */
const listeners: readonly Listener[] = [
  hookListener,
  clockListener,
  replyListener,
  satisfactionListener,
  ruleListener,
  inboxListener,
  gainListener,
  approvalListener,
  budgetListener,
  contractListener,
  overloadListener,
]

/** The tasks of background jobs, which run after the change that enqueued them. */
const tasks: readonly Task[] = [
  hookTask,
  outageTask,
  deliveryTask,
  itemClockTask,
  recalculation,
  holidayTask,
  sendMailTask,
  replyTask,
  satisfactionTask,
  processMailTask,
  ruleTask,
  ruleLaterTask,
  ruleMissTask,
  ruleRunTask,
  dryRunTask,
  inboxTask,
  digestTask,
  watchMailTask,
  runTask,
  gainTask,
  notificationSendTask,
  approvalEndingTask,
  budgetTask,
  contractTask,
  overloadTask,
  scanTask,
  indexTask,
  storeBytesTask,
  migrationTask,
  undoRunTask(undoers),
]

/**
 * What tenants keep for a limited time, in this order: what archived work leaves behind is a deleted item first. Users, groups
 * and configuration stay, because what is kept refers to them.
 */
export const retentionRules: readonly RetentionRule[] = [
  archiveRetention,
  deletedItems,
  ...['document', 'annotation', 'link', 'time', 'timer', 'file', 'leave', 'leave_allowance', 'plan'].map(
    deletedRecords,
  ),
  chatRetention,
  visitorChatRetention,
  ...mailRetention,
  logRetention,
]

/** The jobs that run at intervals, independently of events. */
function recurring(database: Database): RecurringJob[] {
  return [
    ...housekeeping(database),
    refreshStatistics(database),
    forgetDeliveries(database),
    sweepFiles(database),
    sweepCopies(database),
    sweepUploads(database),
    repeatItems(database),
    reportDue(database),
    rebalanceRanks(database),
    foldFlows(database),
    forgetMail(database),
    forgetSuggestions(database),
    followVisitorChats(database),
    crossThresholds(database),
    sweepInboxes(database),
    forgetRuleLog(database),
    warnOfMailboxes(database),
    expirePresence(database),
    watchTimers(database),
    keepTimesheets(database),
    applyRetention(database, retentionRules),
  ]
}

interface AppEnginesOptions extends Pick<EnginesOptions, 'log' | 'pace'> {
  database: Database
  secrets: Secrets
  /** False in tests, which run the jobs themselves. */
  jobs?: boolean
  /** For tests. */
  outboundLimits?: OutboundOptions['limits']
}

/** Opens the engines with the listeners, tasks and recurring jobs of all rooms. */
export function openAppEngines(settings: Settings, options: AppEnginesOptions): Engines {
  const { secrets, log, pace, jobs: wanted = true } = options
  const database = options.database.serving(openServices(settings, secrets))
  const { outboundLimits: limits = {} } = options
  const outbound = openOutbound({ ...database.services.outboundRules, limits })
  const rotation: RecurringJob = {
    name: 'rotate-signing-keys',
    every: 3_600_000,
    run: () => rotateOldSigningKeys(database, signingKeySeal(secrets), settings.signingKeyDays),
  }
  const jobs = openRecurringJobs({
    database,
    jobs: [
      ...recurring(database),
      eraseTenants(database, settings.tenantGraceDays),
      rotation,
      sealLog(database, settings.dataDir),
    ],
    log,
  })
  const fetching = openMailFetching({ database, log })
  const engines = openEngines({
    database,
    listeners,
    tasks,
    outbound,
    log,
    ...(pace ? { pace } : {}),
  })
  return {
    ...engines,
    start() {
      engines.start()
      if (!wanted) return
      jobs.start()
      fetching.start()
    },
    async stop() {
      await Promise.all([engines.stop(), jobs.stop(), fetching.stop()])
      await outbound.close()
    },
  }
}
