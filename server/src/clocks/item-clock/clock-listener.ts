import type { Listener, LoggedEvent, Task } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { commandEventKind } from '../cycle/item-history.ts'
import { updateItemClocks } from './update-item-clocks.ts'

/** What can change the clocks of an item: the item, its ticket, and public messages on it. */
const entities = ['Item', 'Ticket']
const messageKinds = ['annotation.replied', 'annotation.requesterReplied']

/** Updates the clocks of items after any event of theirs, once per batch of events; a tenant without clocks has no jobs. */
export const clockListener: Listener = {
  name: 'clock',
  listens: async ctx =>
    (await remembered(ctx, 'clocks that run', async () => {
      const [row] = await ctx.sql<{
        some: boolean
      }>`select exists (select 1 from clock where tenant_id = ${ctx.caller.tenantId}
        and not deleted and (red_threshold > 0 or targets <> '[]')) as some`
      return row?.some ?? false
    })) === true,
  accepts: ({ entity, kind }) => entities.includes(entity) || messageKinds.includes(kind),
  async jobs(ctx, events) {
    const said = events.filter(each => messageKinds.includes(each.kind)).map(each => each.recordId)
    const about = new Map<Id, Id>()
    if (said.length > 0) {
      const rows = await ctx.sql<{ id: Id; itemId: Id }>`select id, item_id as "itemId" from annotation
        where tenant_id = ${ctx.caller.tenantId} and id = any(${said}::uuid[]) and item_id is not null`
      for (const { id, itemId } of rows) about.set(id, itemId)
    }
    const last = new Map<Id, LoggedEvent>()
    for (const event of events) {
      const own =
        entities.includes(event.entity) && (!event.kind.startsWith('clock.') || event.kind === commandEventKind)
      const itemId = own ? event.recordId : about.get(event.recordId)
      if (itemId) last.set(itemId, event)
    }
    const itemIdsToUpdate = [...(await affectedItems(ctx, [...last.keys()]))]
    const batches = Array.from({ length: Math.ceil(itemIdsToUpdate.length / itemsPerJob) }, (_, i) =>
      itemIdsToUpdate.slice(i * itemsPerJob, (i + 1) * itemsPerJob),
    )
    return batches.flatMap(itemIds => {
      const event = last.get(itemIds[0] ?? '')
      return event ? [{ event, task: itemClockTask.name, lane: `clock ${itemIds[0]}`, payload: { itemIds } }] : []
    })
  },
}

/** The items to which a clock may apply, or that have clocks already. */
async function affectedItems(ctx: Context, itemIds: readonly Id[]): Promise<Set<Id>> {
  if (itemIds.length === 0) return new Set()
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<{
    id: Id
  }>`select i.id from item i where i.tenant_id = ${tenantId} and i.id = any(${itemIds}::uuid[])
    and (exists (select 1 from clock k where k.tenant_id = ${tenantId} and not k.deleted and k.active and (k.red_threshold > 0 or k.targets <> '[]')
        and (k.container = '{}' or i.container_id = any(k.container)))
      or exists (select 1 from item_clock c where c.tenant_id = ${tenantId} and c.item_id = i.id))`
  return new Set(rows.map(row => row.id))
}

/** Items of one job. Their order does not matter, because each is replayed up to now. */
const itemsPerJob = 50

/** Updates the clocks of some items. */
export const itemClockTask: Task = {
  name: 'clock',
  retryDelays: [1000, 5000, 60_000, 600_000],
  async run({ payload, service, attempt, transaction }) {
    const itemIds = Array.isArray(payload.itemIds) ? payload.itemIds.map(String) : []
    if (attempt === 1) {
      await transaction(service, ctx => updateItemClocks(ctx, itemIds))
      return
    }
    // An item that fails must not block the others, so each gets a transaction of its own.
    const errors: unknown[] = []
    for (const id of itemIds)
      await transaction(service, ctx => updateItemClocks(ctx, [id])).catch(error => errors.push(error))
    if (errors.length > 0) throw errors[0]
  },
}
