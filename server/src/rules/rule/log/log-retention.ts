import { tenantIds } from '../../../engine/recurring-jobs/housekeeping.ts'
import type { RecurringJob } from '../../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Database } from '../../../kernel/database.ts'
import { keptDays } from '../dry-run/job/dry-run-job.ts'

const day = 86_400_000
const batch = 1000

/** The log is kept for 90 days, dry runs as long as they say. The runs in a chain are kept while the chain can continue, which includes retries. */
const kept = { log: 90 * day, acts: 7 * day, dryRuns: keptDays * day } as const

export function forgetRuleLog(database: Database, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'forget-rule-log',
    every: day,
    async run(signal) {
      const [log, acts, dryRuns] = [kept.log, kept.acts, kept.dryRuns].map(age => new Date(now().getTime() - age))
      for await (const tenantId of tenantIds(database)) {
        const inBatches = async (remove: (ctx: Context) => Promise<unknown[]>) => {
          do signal.throwIfAborted()
          while ((await database.single(tenantCaller(tenantId), remove)).length === batch)
        }
        await inBatches(
          ctx => ctx.sql`delete from rule_log where tenant_id = ${tenantId} and id in (
          select id from rule_log where tenant_id = ${tenantId} and at < ${log} limit ${batch}) returning true`,
        )
        await inBatches(
          ctx => ctx.sql`delete from rule_dry_run where tenant_id = ${tenantId} and id in (
          select id from rule_dry_run where tenant_id = ${tenantId} and began < ${dryRuns} limit ${batch}) returning true`,
        )
        await inBatches(
          ctx => ctx.sql`delete from rule_act where tenant_id = ${tenantId} and (root, record_id, rule_id) in (
          select root, record_id, rule_id from rule_act where tenant_id = ${tenantId} and at < ${acts} limit ${batch}) returning true`,
        )
      }
    },
  }
}
