import { listeners, tasks } from '../app.ts'
import { crossThresholds } from '../clocks/clock/ticking.ts'
import { sweepFiles } from '../documents/file/sweep.ts'
import { type Engines, type EnginesOptions, openEngines } from '../engine/dispatch/dispatch.ts'
import { housekeeping } from '../engine/housekeeping.ts'
import { type Job, openJobs } from '../engine/jobs.ts'
import { rebalanceRanks } from '../items/item/rebalance.ts'
import type { ContextOptions } from '../kernel/context.ts'
import type { Database } from '../kernel/database.ts'
import { openFetching } from '../mail/fetching.ts'
import { forgetMail } from '../mail/forget-mail.ts'
import { forgetDeliveries } from '../notify/hook/forget.ts'
import { warnOfMailboxes } from '../notify/inbox/mailboxes.ts'
import { sweepInboxes } from '../notify/inbox/sweep.ts'
import { repeatItems } from '../planning/recurrence/repeat.ts'
import { type Blobs, openBlobs } from '../platform/blobs.ts'
import { openOutbound } from '../platform/outbound/outbound.ts'
import type { Secrets } from '../platform/secrets.ts'
import { outboundRules, type Settings } from '../platform/settings.ts'
import { forgetRuleLog } from '../rules/rule/forget.ts'

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
