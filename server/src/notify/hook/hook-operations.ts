import { enqueue } from '../../engine/dispatch/dispatch.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { newId } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { history } from '../../records/history/history.ts'
import { deliverySchema } from '../delivery/delivery-log.ts'
import { derivedId, webhookIdOf } from '../signature.ts'
import { hooks } from './hook.ts'
import { deliveryOf, getDelivery, hookDeliveries, redeliver, testKind } from './hook-deliveries.ts'
import { callOf } from './hook-listener.ts'
import { rotateSecret } from './hook-secrets.ts'
import { redeliverRange } from './redeliver-range.ts'
import { changeHook, createHook } from './write-hook.ts'

const test = operation({
  permission: hooks.permissions.update,
  mode: 'write',
  summary: 'Test a hook',
  description:
    'Sends the event `hook.tested` to the address, in the format and with the signature of the hook, like any other event. The reply contains the delivery, whose attempts show the result.',
  reply: { status: 202, schema: deliverySchema, description: 'The waiting delivery.' },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const hook = await hooks.get(ctx, params.id ?? '')
    if (hook.url === '')
      throw new RuleBroken('no-url', 'the hook has no address to call', [fault(['url'], 'no-url', 'is missing')])
    const eventId = newId()
    const id = derivedId(eventId, hook.id)
    await ctx.sql`insert into delivery (tenant_id, id, owner_entity, owner_id, event_id, event_kind, entity, record_id, url, webhook_id, created, next_at)
      values (${ctx.caller.tenantId}, ${id}, ${hooks.entity}, ${hook.id}, ${eventId}, ${testKind}, ${hooks.entity}, ${hook.id}, ${hook.url}, ${webhookIdOf(id)}, ${ctx.now}, ${ctx.now})`
    await enqueue(ctx, { ...callOf(hook.id, hook.id), payload: { hookId: hook.id, eventId, test: true } })
    return { status: 202, body: await deliveryOf(ctx, id) }
  },
})

const rotate = operation({
  permission: hooks.permissions.update,
  mode: 'write',
  summary: 'Change the secret of a hook',
  description:
    'Creates a new secret, which is returned only once. For a day calls are signed with both secrets, so that the receiver can switch.',
  reply: {
    status: 200,
    schema: {
      type: 'object',
      properties: { secret: { type: 'string' }, formerUntil: { type: 'string', format: 'date-time' } },
      required: ['secret', 'formerUntil'],
    },
    description: 'The new secret, and until when the former one is used too.',
  },
  refusals: [404],
  unrepeatable: true,
  run: async (ctx, { params }) => ({ body: await rotateSecret(ctx, params.id ?? '') }),
})

export const routes: Routes = {
  'GET /hook': list(hooks),
  'POST /hook': { ...create(hooks, createHook), unrepeatable: true },
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
  'GET /hook/:id/delivery': hookDeliveries,
  'GET /hook/delivery/:id': getDelivery,
  'POST /hook/delivery/:id/redeliver': redeliver,
}
