import { enqueue, Postponed, type Task } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { warn } from '../warning/warning.ts'
import { type Hook, hookState, hooks } from './hook.ts'
import { groupOf } from './hook-listener.ts'

const taskName = 'hook-outage'

/** The owner of a hook is warned when its address has failed for this long; ms. */
const warnedAfter = 24 * 3600 * 1000

/** Schedules the warning of an outage that has just begun, so that it is sent even if no further event goes to the hook. */
export async function beginOutage(ctx: Context, hookId: Id, since: Date): Promise<void> {
  const runAt = new Date(since.getTime() + warnedAfter)
  await enqueue(ctx, { task: taskName, key: hookId, payload: { hookId }, runAt })
}

export const outageTask: Task = {
  name: taskName,
  retryDelays: [60_000, 600_000, 3_600_000],
  async run({ payload, service, transaction }) {
    const wait = await transaction(service, async ctx => {
      const hook = await hooks.find(ctx, String(payload.hookId))
      if (!hook?.active || hook.state !== hookState.failing || !hook.failingSince) return 0
      const since = new Date(hook.failingSince)
      const early = since.getTime() + warnedAfter - ctx.now.getTime()
      if (early <= 0) await warnOfOutage(ctx, hook, since)
      return early
    })
    if (wait > 0) throw new Postponed(wait, 'the outage is not long enough for a warning yet')
  },
}

async function warnOfOutage(ctx: Context, hook: Hook, since: Date): Promise<void> {
  const { waiting, last } = await figures(ctx, hook.id)
  await warn(ctx, {
    ...subjectOf(hook, since),
    event: 'hook.failing',
    headline: `The hook “${hook.name}” has failed for a day`,
    details: [
      `Last: ${last}.`,
      `${waiting} wait and will be retried. After five days without a success the hook is switched off.`,
      howToRedeliver(ctx, hook.id, since),
    ],
  })
}

/** Warns the owner that the hook is disabled, why, and how to enable it again. */
export async function warnOfDisabledHook(
  ctx: Context,
  hook: Hook,
  since: Date,
  why: string,
  last: string,
): Promise<void> {
  const { waiting } = await figures(ctx, hook.id)
  await warn(ctx, {
    ...subjectOf(hook, since),
    event: 'hook.disabled',
    headline: `The hook “${hook.name}” is switched off: ${why}`,
    details: [
      `Last: ${last}.`,
      `${waiting} were waiting and will not be sent.`,
      `Switch it on again: PUT ${ctx.services.baseUrl}/api/hook/${hook.id} {"active": true}`,
      howToRedeliver(ctx, hook.id, since),
    ],
  })
}

const subjectOf = ({ id, ownerUser }: Hook, since: Date) => ({
  entity: hooks.entity,
  recordId: id,
  ownerId: ownerUser,
  since,
})

const howToRedeliver = ({ services: { baseUrl } }: Context, id: Id, since: Date) =>
  `Deliver the missed events again: POST ${baseUrl}/api/hook/${id}/redeliver {"from": "${since.toISOString()}"}`

/** The count of waiting deliveries stops here. */
const maxCounted = 10_000

/** How many deliveries wait, and why the last one failed: never what the address answered. */
async function figures(ctx: Context, hookId: Id): Promise<{ waiting: string; last: string }> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ waiting: number; last: string | null }>`select
      (select count(*)::int from (select 1 from queued_job where tenant_id = ${tenantId} and job_group = ${groupOf(hookId)} limit ${maxCounted}) w) as waiting,
      (select d.error from delivery d where d.tenant_id = ${tenantId} and d.owner_id = ${hookId} and d.error <> '' order by d.created desc, d.id desc limit 1) as last`
  const { waiting = 0, last } = row ?? {}
  const many = waiting >= maxCounted ? `${maxCounted} deliveries or more` : `${waiting} deliveries`
  return { waiting: waiting === 1 ? '1 delivery' : many, last: last ?? 'unknown' }
}
