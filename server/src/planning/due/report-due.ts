import { Temporal } from 'temporal-polyfill'
import { Type } from 'typebox'
import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantToday } from '../../finance/tenant-day.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { items } from '../../items/item/item.ts'
import { closedCategories } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import { appendEvents } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { setting, settingOf } from '../../platform/setting.ts'

const maxSoonDays = 30

const dueSoonDays = setting('item.dueSoonDays', {
  schema: Type.Integer({ minimum: 0, maximum: maxSoonDays }),
  default: 1,
  scopes: ['tenant'],
  description:
    'An open item is reported as due soon (`item.dueSoon`) when it is due within so many days, counted in the time zone of the tenant; 0: on the day itself.',
})

/** Items of one tenant at a time: few enough that the next tenant does not wait for long. */
const batchSize = 200

const isPending = (told: Sql) =>
  sql`t.due_date is not null and ${told} is distinct from t.due_date and t.status_category not in ${closedCategories} and not t.deleted`
const [dueSoonTold, overdueTold] = [raw('t.due_soon_told'), raw('t.overdue_told')]

/**
 * Reports the open items that became due soon or overdue. The date that was reported is kept with the item, under its lock: each due
 * date is reported once, whichever process finds it and however long the service was down, and another date is reported again.
 */
export function reportDue(database: Database, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'report-due',
    every: 60_000,
    async run(signal) {
      // No time zone is ahead of UTC by more than 14 hours.
      const latest = Temporal.Instant.fromEpochMilliseconds(now().getTime()).add({ hours: 14 })
      const day = latest.toZonedDateTimeISO('UTC').toPlainDate().add({ days: maxSoonDays }).toString()
      const tenants = await database.crossTenantSql<{ tenantId: Id }>`with recursive pending as (
          (select t.tenant_id from item t where ${isPending(overdueTold)} order by t.tenant_id limit 1)
          union all select (select t.tenant_id from item t where t.tenant_id > p.tenant_id and ${isPending(overdueTold)} order by t.tenant_id limit 1)
            from pending p where p.tenant_id is not null)
        select p.tenant_id as "tenantId" from pending p where exists (select 1 from item t where t.tenant_id = p.tenant_id and t.due_date <= ${day}::date and ${isPending(overdueTold)})
          and exists (select 1 from tenant o where o.tenant_id = p.tenant_id and o.status = 0 and not o.deleted)`
      for (const { tenantId } of tenants) {
        let reported: number
        do {
          signal.throwIfAborted()
          reported = await database.transaction(tenantCaller(tenantId), reportBatch, { now: now() })
        } while (reported === batchSize)
      }
    },
  }
}

/** Reports the next items of the tenant; returns how many there were, at most `batchSize`. */
async function reportBatch(ctx: Context): Promise<number> {
  const today = await tenantToday(ctx)
  const overdue = await claim(ctx, overdueTold, sql`t.due_date < ${today}::date`)
  await report(ctx, 'item.overdue', overdue)
  const days = await settingOf(ctx, dueSoonDays)
  const soon = await claim(ctx, dueSoonTold, sql`t.due_date between ${today}::date and ${today}::date + ${days}::int`)
  await report(ctx, 'item.dueSoon', soon)
  return Math.max(overdue.length, soon.length)
}

/** Marks items as reported, except those that another transaction is writing, which are found again. */
async function claim(ctx: Context, told: Sql, isDue: Sql): Promise<Id[]> {
  const column = told === overdueTold ? raw('overdue_told') : raw('due_soon_told')
  const rows = await ctx.sql<{ id: Id }>`with due as materialized (
      select t.id from item t where t.tenant_id = ${ctx.caller.tenantId} and ${isDue} and ${isPending(told)}
      order by t.due_date, t.id limit ${batchSize} for no key update skip locked)
    update item i set ${column} = i.due_date from due where i.tenant_id = ${ctx.caller.tenantId} and i.id = due.id returning i.id`
  return rows.map(each => each.id).sort()
}

/** Appends the events. They have no changes, because the items did not change. */
async function report(ctx: Context, kind: string, ids: readonly Id[]): Promise<void> {
  await appendEvents(
    ctx,
    ids.map(recordId => ({ kind, entity: items.entity, recordId, changes: {} })),
  )
}
