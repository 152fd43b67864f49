import { enqueue, type LoggedEvent } from '../../engine/dispatch/dispatch.ts'
import { readPlace } from '../../engine/live/log-position.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, history, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Changes } from '../../kernel/events.ts'
import { type Id, isId, newId } from '../../kernel/id.ts'
import { type Input, operation, type Reply, type Routes } from '../../kernel/operation.ts'
import { type Fault, fault, Invalid, NotFound, RuleBroken } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/shape.ts'
import { nothing, type Sql, sql } from '../../kernel/sql.ts'
import { deliveryJob } from '../delivery/delivery.ts'
import { type Delivery, deliveryJson, deliverySchema, deliveryState } from '../delivery/delivery-log.ts'
import { derivedId, webhookIdOf } from '../signature.ts'
import { changeHook, createHook, hooks, rotateSecret } from './hook.ts'
import { hookJobs, hookTaskName } from './hook-listener.ts'

/** Deliveries of an owner, the newest first, page by page. */
export async function listDeliveries(ctx: Context, ownerId: Id, { query, path }: Input): Promise<Reply> {
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

function readQuery({ limit: size, cursor, state: wanted }: Record<string, unknown>) {
  const faults: Fault[] = []
  const whole = (value: unknown, fallback: number) =>
    value === undefined ? fallback : /^\d{1,4}$/.test(String(value)) ? Number(value) : Number.NaN
  const limit = whole(size, 100)
  const state = wanted === undefined ? undefined : whole(wanted, 0)
  if (!(limit >= 1 && limit <= 1000))
    faults.push(fault(['limit'], 'range', 'must be a whole number from 1 to 1000', size))
  if (cursor !== undefined && !isId(cursor))
    faults.push(fault(['cursor'], 'cursor', 'is not a cursor of this list', cursor))
  if (Number.isNaN(state)) faults.push(fault(['state'], 'integer', 'must be the code of a state', wanted))
  if (faults.length > 0) throw new Invalid(faults)
  return { limit, cursor: cursor === undefined ? undefined : String(cursor), state }
}

const deliveries = operation({
  permission: hooks.permissions.read,
  mode: 'read',
  summary: 'What a hook has sent',
  description:
    'The deliveries of the hook, the newest first, for 30 days: status, duration and every attempt, never what the address answered. `X-Next-Cursor`, given as `cursor`, leads to older ones.',
  query: {
    limit: { type: 'integer', minimum: 1, maximum: 1000, description: 'At most so many; 100 if not said.' },
    cursor: { type: 'string', description: 'Where the last page ended.' },
    state: { type: 'integer', description: 'Only those of this state.' },
  },
  reply: { status: 200, schema: { type: 'array', items: deliverySchema }, description: 'The deliveries.' },
  refusals: [404],
  run: async (ctx, input) => await listDeliveries(ctx, (await hooks.get(ctx, input.params.id ?? '')).id, input),
})

async function deliveryOf(ctx: Context, id: string, lock: Sql = nothing): Promise<Delivery> {
  const [row] = isId(id)
    ? await ctx.sql<{ delivery: Delivery }>`select ${deliveryJson} as delivery from delivery d
        where d.tenant_id = ${ctx.caller.tenantId} and d.id = ${id} ${lock}`
    : []
  if (!row) throw new NotFound()
  return row.delivery
}

const delivery = operation({
  permission: hooks.permissions.read,
  mode: 'read',
  summary: 'One delivery',
  description: 'What was sent by a hook, a rule or a notification, and how each attempt went.',
  reply: { status: 200, schema: deliverySchema, description: 'The delivery.' },
  refusals: [404],
  run: async (ctx, { params }) => ({ body: await deliveryOf(ctx, params.id ?? '') }),
})

const redeliver = operation({
  permission: hooks.permissions.update,
  mode: 'write',
  summary: 'Deliver once more',
  description:
    'Sends the same thing again, with the same `webhook-id`; a hook tells the record as it is now. It goes out behind whatever else waits for the same record.',
  reply: { status: 202, schema: deliverySchema, description: 'The delivery, waiting.' },
  refusals: [404],
  async run(ctx, { params }) {
    const found = await deliveryOf(ctx, params.id ?? '', sql`for update`)
    await ctx.sql`update delivery set state = ${deliveryState.waiting}, next_at = ${ctx.now} where tenant_id = ${ctx.caller.tenantId} and id = ${found.id}`
    await enqueue(ctx, repeatJob(found))
    return { status: 202, body: await deliveryOf(ctx, found.id) }
  },
})

function repeatJob({ id, ownerEntity, ownerId, recordId, eventSeq, eventId, type }: Delivery) {
  if (ownerEntity !== hooks.entity)
    return deliveryJob(id, { ownerId, recordId: recordId === '' ? undefined : recordId })
  const test = type === testKind ? { test: true } : {}
  const payload = {
    hookId: ownerId,
    xact: eventSeq.split('-')[0] ?? '',
    eventId: eventId === '' ? id : eventId,
    ...test,
  }
  return { task: hookTaskName, lane: `hook ${ownerId} ${recordId}`, payload }
}

const testKind = 'hook.tested'

const test = operation({
  permission: hooks.permissions.update,
  mode: 'write',
  summary: 'Try a hook',
  description:
    'Tells the address `hook.tested`, in the format and with the signature of the hook, by the same way as everything else. The answer names the delivery, whose log tells how it went.',
  reply: { status: 202, schema: deliverySchema, description: 'The delivery, waiting.' },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const hook = await hooks.get(ctx, params.id ?? '')
    if (hook.url === '')
      throw new RuleBroken('no-url', 'the hook has no address to call', [fault(['url'], 'no-url', 'is missing')])
    const eventId = newId()
    const id = derivedId(eventId, hook.id)
    await ctx.sql`insert into delivery (tenant_id, id, owner_entity, owner_id, event_id, event_kind, entity, record_id, url, webhook_id, created, next_at)
      values (${ctx.caller.tenantId}, ${id}, ${hooks.entity}, ${hook.id}, ${eventId}, ${testKind}, ${hooks.entity}, ${hook.id}, ${hook.url}, ${webhookIdOf(id)}, ${ctx.now}, ${ctx.now})`
    await enqueue(ctx, {
      task: hookTaskName,
      lane: `hook ${hook.id} ${hook.id}`,
      payload: { hookId: hook.id, eventId, test: true },
    })
    return { status: 202, body: await deliveryOf(ctx, id) }
  },
})

const rotate = operation({
  permission: hooks.permissions.update,
  mode: 'write',
  summary: 'Change the secret of a hook',
  description:
    'Makes a new secret and shows it in this answer alone. For a day calls are signed by both, so that a receiver can change over.',
  reply: {
    status: 200,
    schema: {
      type: 'object',
      properties: { secret: { type: 'string' }, formerUntil: { type: 'string', format: 'date-time' } },
      required: ['secret', 'formerUntil'],
    },
    description: 'The new secret, and until when the former one still signs.',
  },
  refusals: [404],
  unrepeatable: true,
  run: async (ctx, { params }) => ({ body: await rotateSecret(ctx, params.id ?? '') }),
})

/** Events that one request delivers again. */
const maxAgain = 10_000

interface Stretch {
  from?: string
  to?: string
  after?: string
}

const stretchSchema: Schema = {
  type: 'object',
  properties: {
    from: { type: 'string', format: 'date-time', maxLength: 40, description: 'What happened from then on …' },
    to: { type: 'string', format: 'date-time', maxLength: 40, description: '… and before this.' },
    after: { type: 'string', maxLength: 60, description: 'Only what stands behind this `seq` of the event log.' },
  },
  additionalProperties: false,
}

const redeliverRange = operation({
  permission: hooks.permissions.update,
  mode: 'write',
  summary: 'Deliver a stretch of the log once more',
  description:
    'Tells the hook again what happened between two moments, or behind a place of the event log (`after`, a `seq`): all that it asks for, in order, each with the `webhook-id` it had. At most 10,000 at a time.',
  body: {
    schema: stretchSchema,
    read: reader<Stretch>(stretchSchema),
    example: { from: '2026-01-05T08:00:00Z', to: '2026-01-05T09:00:00Z' },
  },
  reply: {
    status: 202,
    schema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
    description: 'How many will be delivered.',
  },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const hook = await hooks.get(ctx, params.id ?? '')
    const jobs = await hookJobs(ctx, [hook], await stretch(ctx, body))
    const wishes = jobs.map(({ event, ...job }) => job)
    for (let i = 0; i < wishes.length; i += 1000) {
      const [first, ...more] = wishes.slice(i, i + 1000)
      if (first) await enqueue(ctx, first, ...more)
    }
    return { status: 202, body: { count: wishes.length } }
  },
})

async function stretch(ctx: Context, wish: Stretch): Promise<LoggedEvent[]> {
  const after = readPlace(wish.after)
  if (!after && !wish.from) throw new Invalid([fault(['from'], 'required', 'must say from when, or after which event')])
  const rows = await ctx.sql<Omit<LoggedEvent, 'changes'> & { changes: Changes }>`
    select e.tenant_id as "tenantId", e.xact::text as xact, e.id, e.at, e.kind, e.entity, e.record_id as "recordId", e.actor_id as "actorId",
      e.actor_kind as "actorKind", e.change_set_id as "changeSetId",
      case when pg_column_size(e.changes) <= 4000 then e.changes else '{}'::jsonb end as changes
    from event e where e.tenant_id = ${ctx.caller.tenantId}
      ${after ? sql`and (e.xact, e.id) > (${after.xact}::xid8, ${after.id}::uuid)` : nothing}
      ${wish.from ? sql`and e.at >= ${wish.from}::timestamptz` : nothing} ${wish.to ? sql`and e.at < ${wish.to}::timestamptz` : nothing}
    order by e.xact, e.id limit ${maxAgain + 1}`
  if (rows.length > maxAgain)
    throw new RuleBroken(
      'too-many-events',
      `at most ${maxAgain} events are delivered again at a time; name a shorter stretch`,
      [],
    )
  return rows
}

export const routes: Routes = {
  'GET /hook': list(hooks),
  'POST /hook': create(hooks, createHook),
  'PUT /hook': update(hooks, changeHook),
  'GET /hook/:id': get(hooks),
  'PUT /hook/:id': update(hooks, changeHook),
  'PATCH /hook/:id': update(hooks, changeHook),
  'DELETE /hook/:id': remove(hooks),
  'POST /hook/:id/restore': restore(hooks),
  'GET /hook/:id/history': history(hooks),
  'GET /hook/:id/check': check(hooks),
  'POST /hook/:id/test': test,
  'POST /hook/:id/rotate-secret': rotate,
  'POST /hook/:id/redeliver': redeliverRange,
  'GET /hook/:id/delivery': deliveries,
  'GET /hook/delivery/:id': delivery,
  'POST /hook/delivery/:id/redeliver': redeliver,
}
