import { enqueue, Later, type Task } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { warn } from '../warning/warning.ts'
import { type Hook, hookState, hooks } from './hook.ts'
import { hookTaskName } from './hook-listener.ts'

const taskName = 'hook-outage'

/** Who answers for a hook is warned when its address has failed for so long; ms. */
const warnedAfter = 24 * 3600 * 1000

/** An outage begins: if it lasts, somebody hears of it, whether or not there is more to tell by then. */
export async function beginOutage(ctx: Context, hookId: Id, since: Date): Promise<void> {
  const runAt = new Date(since.getTime() + warnedAfter)
  await enqueue(ctx, { task: taskName, key: hookId, payload: { hookId }, runAt })
}

export const outageTask: Task = {
  name: taskName,
  ladder: [60_000, 600_000, 3_600_000],
  async run({ payload, service, transaction }) {
    const wait = await transaction(service, async ctx => {
      const hook = await hooks.find(ctx, String(payload.hookId))
      if (!hook?.active || hook.state !== hookState.failing || !hook.failingSince) return 0
      const since = new Date(hook.failingSince)
      const early = since.getTime() + warnedAfter - ctx.now.getTime()
      if (early <= 0) await warnOfOutage(ctx, hook, since)
      return early
    })
    if (wait > 0) throw new Later(wait, 'it has not failed for long enough')
  },
}

async function warnOfOutage(ctx: Context, hook: Hook, since: Date): Promise<void> {
  const { waiting, last } = await figures(ctx, hook.id)
  await warn(ctx, {
    ...whose(hook, since),
    event: 'hook.failing',
    headline: `The hook “${hook.name}” has failed for a day`,
    details: [
      `Last: ${last}.`,
      `${waiting} wait, and are tried again. After five days without a success the hook is switched off.`,
      again(ctx, hook.id, since),
    ],
  })
}

/** The hook is switched off: whoever answers for it hears why, and how it comes back. */
export async function warnOfEnd(ctx: Context, hook: Hook, since: Date, why: string, last: string): Promise<void> {
  const { waiting } = await figures(ctx, hook.id)
  await warn(ctx, {
    ...whose(hook, since),
    event: 'hook.disabled',
    headline: `The hook “${hook.name}” is switched off: ${why}`,
    details: [
      `Last: ${last}.`,
      `${waiting} waited, and are not sent.`,
      `Switch it on: PUT ${ctx.services.baseUrl}/api/hook/${hook.id} {"active": true}`,
      again(ctx, hook.id, since),
    ],
  })
}

const whose = ({ id, ownerUser }: Hook, since: Date) => ({
  entity: hooks.entity,
  recordId: id,
  ownerId: ownerUser,
  since,
})

const again = ({ services: { baseUrl } }: Context, id: Id, since: Date) =>
  `Tell it again what it missed: POST ${baseUrl}/api/hook/${id}/redeliver {"from": "${since.toISOString()}"}`

/** Nobody counts further. */
const maxCounted = 10_000

/** How many deliveries wait, and how the last one went: a status or a reason, and nothing of what was said. */
async function figures(ctx: Context, hookId: Id): Promise<{ waiting: string; last: string }> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ waiting: number; last: string | null }>`select
      (select count(*)::int from (select 1 from errand where tenant_id = ${tenantId} and task = ${hookTaskName} and payload ->> 'hookId' = ${hookId} limit ${maxCounted}) w) as waiting,
      (select d.error from delivery d where d.tenant_id = ${tenantId} and d.owner_id = ${hookId} and d.error <> '' order by d.created desc limit 1) as last`
  const { waiting = 0, last } = row ?? {}
  const many = waiting >= maxCounted ? `${maxCounted} deliveries or more` : `${waiting} deliveries`
  return { waiting: waiting === 1 ? '1 delivery' : many, last: last ?? 'nothing is known of it' }
}
