import { enqueue, type Listener, type LoggedEvent, type Task } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { runTaskName } from './next-run.ts'
import { interval } from './notification-codes.ts'

const gainTaskName = 'notification-gain'
const minute = 60_000

interface Gainer {
  id: Id
  container: Id[]
}

async function gainers(ctx: Context): Promise<readonly Gainer[]> {
  const found = await remembered(
    ctx,
    'notifications-on-gain',
    async () =>
      await ctx.sql<Gainer>`select id, container from notification where tenant_id = ${ctx.caller.tenantId} and active and not deleted and "interval" = ${interval.onGain} and schedule = '' order by id limit 500`,
  )
  return found ?? []
}

/** Runs the notifications with interval `onGain` after events that may add a match, at most once a minute each. */
export const gainListener: Listener = {
  name: 'notification',
  listens: async ctx => (await gainers(ctx)).length > 0,
  accepts: ({ kind }) => /^(item|annotation|time|link|ticket)\./.test(kind),
  async jobs(ctx, events) {
    const last = events.at(-1)
    if (!last) return []
    const places = await placesOf(ctx, events)
    const ids = (await gainers(ctx))
      .filter(({ container }) => container.length === 0 || places === 'all' || container.some(id => places.has(id)))
      .map(({ id }) => id)
    if (ids.length === 0) return []
    return [{ event: last, task: gainTaskName, lane: gainTaskName, payload: { ids } }]
  },
}

/** Returns the containers of the events, or `all` if some event is not about an item. */
async function placesOf(ctx: Context, events: readonly LoggedEvent[]): Promise<Set<Id> | 'all'> {
  if (events.some(({ entity }) => entity !== 'Item')) return 'all'
  const rows = await ctx.sql<{
    id: Id
  }>`select distinct container_id as id from item where tenant_id = ${ctx.caller.tenantId} and id = any(${events.map(each => each.recordId)}::uuid[])`
  return new Set(rows.map(row => row.id))
}

export const gainTask: Task = {
  name: gainTaskName,
  retryDelays: [1000, 10_000, 60_000],
  async run({ payload, service, transaction }) {
    const ids = Array.isArray(payload.ids) ? payload.ids.map(String) : []
    await transaction(service, async ctx => {
      const soon = new Date((Math.floor(ctx.now.getTime() / minute) + 1) * minute)
      const [first, ...more] = ids.map(id => ({
        task: runTaskName,
        key: id,
        payload: { id, planned: soon.toISOString() },
        runAt: soon,
      }))
      if (first) await enqueue(ctx, first, ...more)
    })
  },
}
