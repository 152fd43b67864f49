import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { setting, settingOf } from '../../platform/setting.ts'

const hour = 3_600_000

const warnAfter = setting('time.timerWarnAfter', {
  schema: Type.Number({ minimum: 0, maximum: 1000 }),
  default: 10,
  scopes: ['tenant'],
  description: 'The hours after which a running timer is reported as overdue, once; 0: never.',
})

const stopAfter = setting('time.timerStopAfter', {
  schema: Type.Number({ minimum: 0, maximum: 1000 }),
  default: 16,
  scopes: ['tenant'],
  description: 'The hours after which a running timer is stopped and its time booked as a draft; 0: never.',
})

interface Running {
  startedAt: string | null
  overdue: boolean
}

/** When a timer becomes overdue and when it is stopped; undefined if never. */
export async function limitsOf(
  ctx: Context,
  { startedAt }: Pick<Running, 'startedAt'>,
): Promise<{ overdueAt: Date | undefined; stopAt: Date | undefined }> {
  const after = (hours: number) => (hours === 0 ? undefined : new Date(Date.parse(startedAt ?? '') + hours * hour))
  return { overdueAt: after(await settingOf(ctx, warnAfter)), stopAt: after(await settingOf(ctx, stopAfter)) }
}

/** When the job has to look at a timer next; null if never. */
export async function nextLook(ctx: Context, timer: Running): Promise<Date | null> {
  const { overdueAt, stopAt } = await limitsOf(ctx, timer)
  const times = [timer.overdue ? undefined : overdueAt, stopAt].filter(each => each !== undefined)
  return times.length === 0 ? null : new Date(Math.min(...times.map(each => each.getTime())))
}
