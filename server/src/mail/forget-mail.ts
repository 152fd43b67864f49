import { tenantIds } from '../engine/recurring-jobs/housekeeping.ts'
import type { RecurringJob } from '../engine/recurring-jobs/recurring-jobs.ts'
import type { RetentionRule } from '../engine/retention/retention.ts'
import { tenantCaller } from '../identity/tenant-caller.ts'
import type { Database } from '../kernel/database.ts'
import { name, type Sql, sql } from '../kernel/sql.ts'
import { outcome } from './mail-message/mail-message.ts'
import { mailState } from './outbound-mail/outbound-mail.ts'

const day = 86_400_000
const kept = 30 * day
const batch = 1000

/** Deletes the bytes of messages that became no ticket after 30 days; their records stay. */
export function forgetMail(database: Database, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'forget-mail',
    every: day,
    async run(signal) {
      const before = new Date(now().getTime() - kept)
      for await (const tenantId of tenantIds(database)) {
        let rows: unknown[]
        do {
          signal.throwIfAborted()
          rows = await database.single(
            tenantCaller(tenantId),
            ctx => ctx.sql`update mail_message set sha256 = '' where tenant_id = ${tenantId} and id in (
              select id from mail_message where tenant_id = ${tenantId} and outcome in (${outcome.quarantined}, ${outcome.dropped}) and sha256 <> '' and created < ${before} limit ${batch}) returning 1`,
          )
        } while (rows.length === batch)
      }
    },
  }
}

/** Mail that a tenant no longer keeps: what arrived and was processed, and what is no longer to be sent. */
export const mailRetention: readonly RetentionRule[] = [
  oldMail('mail_message', sql`outcome not in (${outcome.pending}, ${outcome.failed})`),
  oldMail('outbound_mail', sql`state not in (${mailState.queued}, ${mailState.deferred})`),
]

function oldMail(table: string, isDone: Sql): RetentionRule {
  return {
    name: table,
    days: 'mailDays',
    async remove(ctx, before, limit) {
      const { tenantId } = ctx.caller
      const rows =
        await ctx.sql`delete from ${name(table)} where tenant_id = ${tenantId} and id in (select id from ${name(table)}
        where tenant_id = ${tenantId} and created < ${before} and ${isDone} limit ${limit}) returning 1`
      return rows.length
    },
  }
}
