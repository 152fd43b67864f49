import { Postponed, type Task } from '../../engine/dispatch/dispatch.ts'
import { isDayOff, runTaskName, scheduleNextRun } from './next-run.ts'
import { notifications } from './notification.ts'
import { runOnce } from './run.ts'

/** Runs a notification at its planned time and schedules the next run in the same transaction. Several missed runs become one. */
export const runTask: Task = {
  name: runTaskName,
  retryDelays: [10, 60, 600, 3600].map(seconds => seconds * 1000),
  async run({ payload, service, transaction }) {
    const planned = new Date(String(payload.planned))
    const early = planned.getTime() - Date.now()
    // A job that is enqueued again while it runs starts at once, even if it is planned for later.
    if (early > 0) throw new Postponed(early, 'the run is not due yet')
    await transaction(service, async ctx => {
      const notification = await notifications.find(ctx, String(payload.id))
      if (!notification?.active) return
      if (!(await isDayOff(ctx, notification, planned))) await runOnce(ctx, notification, planned)
      await scheduleNextRun(ctx, notification)
    })
  },
  async onGiveUp({ payload, service, transaction }, error) {
    await transaction(service, async ctx => {
      const notification = await notifications.find(ctx, String(payload.id))
      if (!notification) return
      await ctx.sql`update notification_state set last_error = ${String(error).slice(0, 1000)} where tenant_id = ${ctx.caller.tenantId} and notification_id = ${notification.id}`
      await scheduleNextRun(ctx, notification)
    })
  },
}
