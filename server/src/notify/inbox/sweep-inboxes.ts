import { tenantIds } from '../../engine/recurring-jobs/housekeeping.ts'
import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { countedDays, dayOf } from '../noise/count-messages.ts'

const day = 86_400_000
const batch = 1000

/** Deletes inbox entries after 180 days, notification runs and numbers of messages after 90, numbers of mails by day after 7, and item ids of runs and the marks of processed log ranges after 2. */
export function sweepInboxes(database: Database, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'sweep-inboxes',
    every: day / 4,
    async run(signal) {
      for await (const tenantId of tenantIds(database))
        for (const [age, remove] of removals)
          do signal.throwIfAborted()
          while (
            (
              await database.single(tenantCaller(tenantId), ctx =>
                remove(ctx, tenantId, new Date(now().getTime() - age * day)),
              )
            ).length === batch
          )
    },
  }
}

type Removal = (ctx: Context, tenantId: Id, before: Date) => Promise<unknown[]>

const removals: readonly (readonly [days: number, Removal])[] = [
  [
    180,
    (ctx, tenantId, before) => ctx.sql`delete from inbox_entry where tenant_id = ${tenantId} and id in (
      select id from inbox_entry where tenant_id = ${tenantId} and updated < ${before} order by updated limit ${batch}) returning true`,
  ],
  [
    2,
    (ctx, tenantId, before) => ctx.sql`delete from inbox_done where tenant_id = ${tenantId} and (xact, id) in (
      select xact, id from inbox_done where tenant_id = ${tenantId} and at < ${before} order by at limit ${batch}) returning true`,
  ],
  [
    2,
    (
      ctx,
      tenantId,
      before,
    ) => ctx.sql`update notification_run set item_ids = '{}' where tenant_id = ${tenantId} and id in (
      select id from notification_run where tenant_id = ${tenantId} and at < ${before} and item_ids <> '{}' order by at limit ${batch}) returning true`,
  ],
  [
    90,
    (ctx, tenantId, before) => ctx.sql`delete from notification_run where tenant_id = ${tenantId} and id in (
      select id from notification_run where tenant_id = ${tenantId} and at < ${before} order by at limit ${batch}) returning true`,
  ],
  [
    7,
    (ctx, tenantId, before) => ctx.sql`delete from mail_day where tenant_id = ${tenantId} and (user_id, day) in (
      select user_id, day from mail_day where tenant_id = ${tenantId} and day < ${dayOf(before)}::date and digest_due is null order by day limit ${batch}) returning true`,
  ],
  [
    countedDays,
    (
      ctx,
      tenantId,
      before,
    ) => ctx.sql`delete from message_count where tenant_id = ${tenantId} and (user_id, day, source_kind, source_id, channel) in (
      select user_id, day, source_kind, source_id, channel from message_count where tenant_id = ${tenantId} and day < ${dayOf(before)}::date order by day limit ${batch}) returning true`,
  ],
]
