import { Temporal } from 'temporal-polyfill'
import { dayReaderOf } from '../../clocks/calendar/calendar.ts'
import { clocks } from '../../clocks/clock/clock.ts'
import { hoursPartsOf } from '../../clocks/region/region.ts'
import { cancel, enqueue } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { type Anchor, type Cadence, isWeekday, nextRunAfter } from './cadence.ts'
import { interval as intervalCode } from './notification-codes.ts'

/** The task that runs a notification at its planned time. */
export const runTaskName = 'notification'

interface ScheduledNotification extends Cadence {
  id: Id
  created: string
  container: readonly Id[]
  deleted?: boolean
}

/** Schedules the next run, counted from now. Missed runs are not repeated. */
export async function scheduleNextRun(ctx: Context, notification: ScheduledNotification): Promise<Date | undefined> {
  const { id } = notification
  const next = notification.deleted ? undefined : nextRunAfter(notification, await anchorOf(ctx, notification), ctx.now)
  await ctx.sql`insert into notification_state (tenant_id, notification_id, next_run) values (${ctx.caller.tenantId}, ${id}, ${next ?? null})
    on conflict (tenant_id, notification_id) do update set next_run = excluded.next_run`
  if (next)
    await enqueue(ctx, { task: runTaskName, key: id, payload: { id, planned: next.toISOString() }, runAt: next })
  else await cancel(ctx, runTaskName, id)
  return next
}

/** Tells whether a notification for working days was planned on a day off: the clock may have changed since it was scheduled. */
export async function isDayOff(ctx: Context, notification: ScheduledNotification, planned: Date): Promise<boolean> {
  if (notification.interval !== intervalCode.workingDay || notification.schedule !== '') return false
  const { timezone, worked = isWeekday } = await anchorOf(ctx, notification)
  const day = Temporal.Instant.fromEpochMilliseconds(planned.getTime()).toZonedDateTimeISO(
    notification.timezone || timezone,
  )
  return !worked(day.toPlainDate().toString(), day.dayOfWeek)
}

/** The values that the times of its runs depend on. */
export async function anchorOf(ctx: Context, { created, container, interval }: ScheduledNotification): Promise<Anchor> {
  const [row] = await ctx.sql<{ timezone: string; clockId: Id | null }>`
    select coalesce(nullif(t.timezone, ''), 'UTC') as timezone, (select c.clock_id from container c where c.tenant_id = ${ownTenant} and c.id = ${container[0] ?? null}::uuid) as "clockId"
    from tenant t where t.tenant_id = ${ctx.caller.tenantId}`
  const clock = interval === intervalCode.workingDay && row?.clockId ? await clocks.find(ctx, row.clockId) : undefined
  const read = clock && dayReaderOf(await hoursPartsOf(ctx, clock))
  const worked = read && ((date: string, weekday: number) => read(date, weekday).hours.length > 0)
  return { created: new Date(created), timezone: row?.timezone ?? 'UTC', worked }
}
