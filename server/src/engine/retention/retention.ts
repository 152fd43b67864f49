import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import { appendEvents, type Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { tenantIds } from '../recurring-jobs/housekeeping.ts'
import type { RecurringJob } from '../recurring-jobs/recurring-jobs.ts'

const day = 86_400_000

/** Rows per transaction: few enough that none holds its locks for long. */
const batch = 500

/** The properties of a tenant's `retention`, each a number of days; 0 keeps everything. */
interface Retention {
  deletedDays?: number
  archivedDays?: number
  eventDays?: number
  chatDays?: number
  mailDays?: number
}

/** What a tenant keeps for a limited time. */
export interface RetentionRule {
  /** What is removed, as the event of the removal names it. */
  readonly name: string
  readonly days: keyof Retention
  /** Removes some of what is older than `before`, at most `limit`, and returns how many. */
  remove(ctx: Context, before: Date, limit: number): Promise<number>
}

/** Removes in every tenant what is older than the tenant keeps it. */
export function applyRetention(
  database: Database,
  rules: readonly RetentionRule[],
  now: () => Date = () => new Date(),
): RecurringJob {
  return {
    name: 'apply-retention',
    every: day / 4,
    async run(signal) {
      let logIsShorter = false
      for await (const tenantId of tenantIds(database)) {
        const removed = await applyToTenant(database, tenantId, { rules, now, signal })
        logIsShorter ||= rules.some(({ name, days }) => days === 'eventDays' && name in removed)
      }
      // New events are written into the pages of removed ones, so what the index knows of their times is outdated.
      if (logIsShorter) await database.crossTenantSql`select renew_event_times()`
    },
  }
}

interface Run {
  rules: readonly RetentionRule[]
  now: () => Date
  signal: AbortSignal
}

/** Returns how many records of each rule were removed. */
async function applyToTenant(database: Database, tenantId: Id, { rules, now, signal }: Run): Promise<Changes> {
  const caller = tenantCaller(tenantId)
  const [tenant] = await database.single(
    caller,
    ctx =>
      ctx.sql<{
        retention: Retention
      }>`select retention from tenant where tenant_id = ${tenantId} and id = ${tenantId}`,
  )
  const removed: Changes = {}
  for (const rule of rules) {
    const days = tenant?.retention[rule.days] ?? 0
    if (days === 0) continue
    const before = new Date(now().getTime() - days * day)
    let total = 0
    for (let count = batch; count >= batch; total += count) {
      signal.throwIfAborted()
      count = await database.transaction(caller, ctx => rule.remove(ctx, before, batch))
    }
    if (total > 0) removed[rule.name] = { to: total }
  }
  if (Object.keys(removed).length > 0)
    await database.transaction(caller, ctx =>
      appendEvents(ctx, [{ kind: 'tenant.retentionApplied', entity: 'Tenant', recordId: tenantId, changes: removed }]),
    )
  return removed
}
