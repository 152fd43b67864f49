import { enqueue } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Input, operation, type Reply } from '../../kernel/operation.ts'
import { type Fault, fault, Invalid, NotFound } from '../../kernel/refusal.ts'
import { readWhole } from '../../kernel/schema/whole-number.ts'
import { nothing, type Sql, sql } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { deliveryJob } from '../delivery/delivery.ts'
import { type Delivery, deliveryJson, deliverySchema, deliveryState, deliveryStates } from '../delivery/delivery-log.ts'
import { hooks } from './hook.ts'
import { callOf } from './hook-listener.ts'

/** The kind of event of a test call. */
export const testKind = 'hook.tested'

/** Lists the deliveries of an owner, newest first, with a cursor. */
async function listDeliveries(ctx: Context, ownerId: Id, { query, path }: Input): Promise<Reply> {
  const { limit, cursor, state } = readQuery(query)
  const rows = await ctx.sql<{ id: Id; text: string }>`select d.id, ${deliveryJson}::text as text from delivery d
    where d.tenant_id = ${ctx.caller.tenantId} and d.owner_id = ${ownerId} ${cursor ? sql`and d.id < ${cursor}::uuid` : nothing}
      ${state === undefined ? nothing : sql`and d.state = ${state}`}
    order by d.id desc limit ${limit + 1}`
  const page = rows.slice(0, limit)
  const next = rows.length > limit ? page.at(-1)?.id : undefined
  const link = `<${path}?limit=${limit}&cursor=${next}${state === undefined ? '' : `&state=${state}`}>; rel="next"`
  return {
    text: `[${page.map(row => row.text).join(',')}]`,
    headers: { 'x-limit': String(limit), ...(next ? { 'x-next-cursor': next, link } : {}) },
  }
}

function readQuery({ limit: size, cursor, state: code }: Record<string, unknown>) {
  const faults: Fault[] = []
  const limit = readWhole('limit', size, 1, 1000, faults) ?? 100
  // A code without a meaning is a filter that nothing fulfils, as in other lists.
  const state = readWhole('state', code, -2147483648, 2147483647, faults)
  if (cursor !== undefined && !isId(cursor))
    faults.push(fault(['cursor'], 'cursor', 'is not a cursor of this list', cursor))
  if (faults.length > 0) throw new Invalid(faults)
  return { limit, cursor: cursor === undefined ? undefined : String(cursor), state }
}

export const hookDeliveries = operation({
  permission: hooks.permissions.read,
  mode: 'read',
  summary: 'List the deliveries of a hook',
  description:
    'The deliveries of the last 30 days, newest first: status, duration and attempts, but not the body of the answer. `X-Next-Cursor` is the `cursor` of the next page.',
  query: {
    limit: { type: 'integer', minimum: 1, maximum: 1000, description: 'The maximum of deliveries; 100 by default.' },
    cursor: { type: 'string', description: 'The cursor of the previous page, from `X-Next-Cursor`.' },
    state: Code(deliveryStates, { description: 'Only deliveries in this state.' }),
  },
  reply: { status: 200, schema: { type: 'array', items: deliverySchema }, description: 'The deliveries.' },
  refusals: [404],
  run: async (ctx, input) => await listDeliveries(ctx, (await hooks.get(ctx, input.params.id ?? '')).id, input),
})

export async function deliveryOf(ctx: Context, id: string, lock: Sql = nothing): Promise<Delivery> {
  const [row] = isId(id)
    ? await ctx.sql<{ delivery: Delivery }>`select ${deliveryJson} as delivery from delivery d
        where d.tenant_id = ${ctx.caller.tenantId} and d.id = ${id} ${lock}`
    : []
  if (!row) throw new NotFound()
  return row.delivery
}

export const getDelivery = operation({
  permission: hooks.permissions.read,
  mode: 'read',
  summary: 'Get a delivery',
  description: 'A call by a hook, a rule or a notification, with the result of each attempt.',
  reply: { status: 200, schema: deliverySchema, description: 'The delivery.' },
  refusals: [404],
  run: async (ctx, { params }) => ({ body: await deliveryOf(ctx, params.id ?? '') }),
})

export const redeliver = operation({
  permission: hooks.permissions.update,
  mode: 'write',
  summary: 'Repeat a delivery',
  description:
    'Sends the same event again with the same `webhook-id`; a hook sends the record as it is now. Deliveries that wait for the same record are sent first.',
  reply: { status: 202, schema: deliverySchema, description: 'The waiting delivery.' },
  refusals: [404],
  async run(ctx, { params }) {
    const found = await deliveryOf(ctx, params.id ?? '', sql`for update`)
    await ctx.sql`update delivery set state = ${deliveryState.waiting}, next_at = ${ctx.now} where tenant_id = ${ctx.caller.tenantId} and id = ${found.id}`
    await enqueue(ctx, repeatJob(found))
    return { status: 202, body: await deliveryOf(ctx, found.id) }
  },
})

function repeatJob({ id, ownerEntity, ownerId, recordId, eventSeq, eventId, type, url }: Delivery) {
  if (ownerEntity !== hooks.entity)
    return deliveryJob(id, { ownerId, url, recordId: recordId === '' ? undefined : recordId })
  const test = type === testKind ? { test: true } : {}
  const payload = {
    hookId: ownerId,
    xact: eventSeq.split('-')[0] ?? '',
    eventId: eventId === '' ? id : eventId,
    ...test,
  }
  return { ...callOf(ownerId, recordId), payload }
}
