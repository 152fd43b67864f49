import { listeners, tasks } from './app.ts'
import { crossThresholds } from './automation/clock/ticking.ts'
import { forgetDeliveries } from './automation/hook/forget.ts'
import { warnOfMailboxes } from './automation/inbox/mailboxes.ts'
import { sweepInboxes } from './automation/inbox/sweep.ts'
import { forgetRuleLog } from './automation/rule/forget.ts'
import { sweepFiles } from './documents/file/sweep.ts'
import { rebalanceRanks } from './items/item/rebalance.ts'
import { repeatItems } from './items/recurrence/repeat.ts'
import { type Blobs, openBlobs } from './kernel/blobs.ts'
import type { ContextOptions, Database } from './kernel/database.ts'
import { type Engines, type EnginesOptions, openEngines } from './kernel/dispatch/dispatch.ts'
import { housekeeping } from './kernel/housekeeping.ts'
import { type Job, openJobs } from './kernel/jobs.ts'
import { openOutbound } from './kernel/outbound.ts'
import type { Secrets } from './kernel/secrets.ts'
import { outboundRules, type Settings } from './kernel/settings.ts'
import { openFetching } from './mail/fetching.ts'
import { forgetMail } from './mail/forget-mail.ts'

/** What comes back at set times, whatever has happened. */
function recurring(database: Database, blobs: Blobs, context: ContextOptions): Job[] {
  return [
    ...housekeeping(database),
    forgetDeliveries(database),
    sweepFiles(database, blobs),
    repeatItems(database),
    rebalanceRanks(database),
    forgetMail(database),
    crossThresholds(database),
    sweepInboxes(database),
    forgetRuleLog(database),
    warnOfMailboxes(database, context),
  ]
}

export interface HouseOptions extends Pick<EnginesOptions, 'log' | 'pace'> {
  database: Database
  secrets: Secrets
  /** Tests have time run by hand. */
  jobs?: boolean
}

/** All that goes on by itself, with what the rooms have for it. */
export function openHouseEngines(settings: Settings, options: HouseOptions): Engines {
  const { database, secrets, log, pace, jobs: wanted = true } = options
  const rules = outboundRules(settings)
  const outbound = openOutbound(rules)
  const blobs = openBlobs(settings)
  const context = { secrets, outbound: rules, blobs, baseUrl: settings.baseUrl }
  const jobs = openJobs({ database, jobs: recurring(database, blobs, context), log })
  const fetching = openFetching({ database, context, log })
  const engines = openEngines({
    database,
    listeners,
    tasks,
    context,
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
