import type { Listener, LoggedEvent, Task } from '../../engine/dispatch/dispatch.ts'
import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import { type Database, isConnectionFault } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { orderKind } from '../cycle/item-history.ts'
import { itemLock, settle } from './update-item-clocks.ts'

/** What can change the clocks of an item: the item, its desk's part, and what is said publicly about it. */
const entities = ['Item', 'Ticket']
const spoken = ['annotation.replied', 'annotation.requesterReplied']

/** Whatever happens to an item moves its clocks, once for each lot of events; a tenant without clocks pays nothing. */
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
  hears: ({ entity, kind }) => entities.includes(entity) || spoken.includes(kind),
  async jobs(ctx, events) {
    const said = events.filter(each => spoken.includes(each.kind)).map(each => each.recordId)
    const about = new Map<Id, Id>()
    if (said.length > 0) {
      const rows = await ctx.sql<{ id: Id; itemId: Id }>`select id, item_id as "itemId" from annotation
        where tenant_id = ${ctx.caller.tenantId} and id = any(${said}::uuid[]) and item_id is not null`
      for (const { id, itemId } of rows) about.set(id, itemId)
    }
    const last = new Map<Id, LoggedEvent>()
    for (const event of events) {
      const own = entities.includes(event.entity) && (!event.kind.startsWith('clock.') || event.kind === orderKind)
      const itemId = own ? event.recordId : about.get(event.recordId)
      if (itemId) last.set(itemId, event)
    }
    const moved = [...(await concerned(ctx, [...last.keys()]))]
    const lots = Array.from({ length: Math.ceil(moved.length / together) }, (_, i) =>
      moved.slice(i * together, (i + 1) * together),
    )
    return lots.flatMap(itemIds => {
      const event = last.get(itemIds[0] ?? '')
      return event ? [{ event, task: moving.name, lane: `clock ${itemIds[0]}`, payload: { itemIds } }] : []
    })
  },
}

/** Those that a clock may be for, or was. */
async function concerned(ctx: Context, itemIds: readonly Id[]): Promise<Set<Id>> {
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

/** Items that are settled in one breath. In which order does not matter: each is folded up to the moment. */
const together = 50

/** Brings the clocks of some items up to the moment. */
export const moving: Task = {
  name: 'clock',
  ladder: [1000, 5000, 60_000, 600_000],
  async run({ payload, service, attempt, transaction }) {
    const itemIds = Array.isArray(payload.itemIds) ? payload.itemIds.map(String) : []
    if (attempt === 1) {
      await transaction(service, ctx => settle(ctx, itemIds))
      return
    }
    // One that fails must not hold up the others.
    const errors: unknown[] = []
    for (const id of itemIds) await transaction(service, ctx => settle(ctx, [id])).catch(error => errors.push(error))
    if (errors.length > 0) throw errors[0]
  },
}

/** Crossings of one tenant at once: few enough that the next tenant does not wait for long. */
const lot = 100

/**
 * Turns on the lights whose time has come. The index of due moments tells whose; tenants take turns, a lot each, until
 * none has any left. A crash in between leaves the rest due.
 */
export function crossThresholds(database: Database, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'cross-thresholds',
    every: 2000,
    async run(signal) {
      for (;;) {
        const due = await database.crossTenantSql<{ tenantId: Id }>`with recursive tenants as (
            (select tenant_id from item_clock where next_at is not null order by tenant_id limit 1)
            union all select (select c.tenant_id from item_clock c where c.next_at is not null and c.tenant_id > t.tenant_id order by c.tenant_id limit 1) from tenants t where t.tenant_id is not null)
          select t.tenant_id as "tenantId" from tenants t where t.tenant_id is not null
            and exists (select 1 from item_clock c where c.tenant_id = t.tenant_id and c.next_at <= ${now()})`
        let crossed = 0
        for (const { tenantId } of due) {
          signal.throwIfAborted()
          crossed += await crossOf(database, tenantId, now())
        }
        if (crossed === 0) return // none is left, or others are at it
      }
    },
  }
}

/** How long a light waits that could not be turned on. */
const putOff = 600_000

async function crossOf(database: Database, tenantId: Id, now: Date): Promise<number> {
  const service = tenantCaller(tenantId)
  try {
    return await database.transaction(service, async ctx => await settle(ctx, await due(ctx)), { now })
  } catch (error) {
    if (isConnectionFault(error)) throw error
  }
  // One that fails must not keep the others in the dark.
  const ids = await database.single(service, ctx => dueIds(ctx), { now })
  let crossed = 0
  for (const id of ids) {
    try {
      crossed += await database.transaction(service, ctx => settle(ctx, [id]), { now })
    } catch (error) {
      if (isConnectionFault(error)) throw error
      await database.single(
        service,
        ctx => ctx.sql`update item_clock set next_at = ${new Date(now.getTime() + putOff)}
          where tenant_id = ${tenantId} and item_id = ${id} and next_at <= ${now}`,
        { now },
      )
    }
  }
  return crossed
}

async function dueIds(ctx: Context): Promise<Id[]> {
  const rows = await ctx.sql<{ itemId: Id }>`select item_id as "itemId" from item_clock
    where tenant_id = ${ctx.caller.tenantId} and next_at <= ${ctx.now} order by next_at limit ${lot}`
  return [...new Set(rows.map(each => each.itemId))]
}

/** Those that nobody else is settling at this moment. */
async function due(ctx: Context): Promise<Id[]> {
  const rows = await ctx.sql<{ id: Id }>`with due as materialized (select unnest(${await dueIds(ctx)}::text[]) as id)
    select id from due where pg_try_advisory_xact_lock(${itemLock})`
  return rows.map(each => each.id)
}
