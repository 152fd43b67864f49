import type { Task } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { updateItemClocks } from '../item-clock/update-item-clocks.ts'
import { type Clock, clocks } from './clock.ts'
import { recalculateMode } from './recalculate-mode.ts'

const batchSize = 100

/** The items that a change of a clock affects: those with open cycles on it, or with a recalculation all that it may apply to. */
export function affected(tenantId: Id, { id, container }: Pick<Clock, 'id' | 'container'>, mode: number): Sql {
  if (mode === recalculateMode.keep)
    return sql`select distinct c.item_id as id from item_clock c where c.tenant_id = ${tenantId} and c.clock_id = ${id} and c.ended_at is null`
  const where = container.length > 0 ? sql`and i.container_id = any(${container}::uuid[])` : sql``
  const open = mode === recalculateMode.open ? sql`and i.status_category < ${firstClosedCategory}` : sql``
  return sql`select i.id from item i where i.tenant_id = ${tenantId} and not i.deleted ${where} ${open}
    union select c.item_id from item_clock c where c.tenant_id = ${tenantId} and c.clock_id = ${id} ${mode === recalculateMode.open ? sql`and c.ended_at is null` : sql``}`
}

/** Categories from here on are closed. */
const firstClosedCategory = 4

interface Row {
  version: number
  mode: number
  lastItem: Id | null
}

/** Updates the items of a clock in batches. Each batch is a transaction that also stores how far the task has come. */
export const recalculation: Task = {
  name: 'clock-recalculation',
  retryDelays: [1000, 10_000, 60_000, 600_000],
  async run({ payload, service, signal, transaction }) {
    const clockId = String(payload.clockId)
    while (await transaction(service, ctx => updateBatch(ctx, clockId))) signal.throwIfAborted()
  },
}

async function updateBatch(ctx: Context, clockId: Id): Promise<boolean> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<Row>`select version, mode, last_item as "lastItem" from clock_recalculation
    where tenant_id = ${tenantId} and clock_id = ${clockId} and ended is null for update`
  const clock = row && (await clocks.find(ctx, clockId, { deleted: true }))
  if (!row || !clock) return false
  const found = await ctx.sql<{ id: Id }>`select i.id from (${affected(tenantId, clock, row.mode)}) i
    where ${row.lastItem}::uuid is null or i.id > ${row.lastItem}::uuid order by i.id limit ${batchSize}`
  const ids = found.map(each => each.id)
  const changed = await updateItemClocks(ctx, ids, row.mode)
  const over = ids.length < batchSize
  await ctx.sql`update clock_recalculation set done = done + ${ids.length}, changed = changed + ${changed}, last_item = ${ids.at(-1) ?? row.lastItem}, ended = ${over ? ctx.now : null}::timestamptz
    where tenant_id = ${tenantId} and clock_id = ${clockId}`
  return !over
}

const schema: Schema = {
  type: 'object',
  title: 'ClockRecalculation',
  properties: {
    state: { type: 'string', enum: ['none', 'running', 'done'] },
    version: { type: 'integer' },
    total: { type: 'integer' },
    done: { type: 'integer' },
    changed: { type: 'integer', description: 'Items whose clocks changed.' },
    began: { type: 'string', format: 'date-time', nullable: true },
    ended: { type: 'string', format: 'date-time', nullable: true },
  },
  required: ['state', 'version', 'total', 'done', 'changed', 'began', 'ended'],
}

export const progress = operation({
  permission: clocks.permissions.read,
  mode: 'read',
  summary: 'Progress of a recalculation',
  description: 'After a change of a clock its items are updated in the background: how many of how many are done.',
  reply: { status: 200, schema, description: 'The last recalculation of this clock.' },
  refusals: [404],
  async run(ctx, { params }) {
    const clock = await clocks.get(ctx, params.id ?? '')
    const [row] = await ctx.sql<
      Row & { total: number; done: number; changed: number; began: Date; ended: Date | null }
    >`
      select version, total, done, changed, began, ended from clock_recalculation where tenant_id = ${ctx.caller.tenantId} and clock_id = ${clock.id}`
    if (!row)
      return {
        body: { state: 'none', version: clock.version, total: 0, done: 0, changed: 0, began: null, ended: null },
      }
    return { body: { state: row.ended ? 'done' : 'running', ...row } }
  },
})
