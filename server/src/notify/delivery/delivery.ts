import { enqueue, GroupFailure, type Task, TaskFailure } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import type { OutboundCall } from '../../platform/outbound/outbound.ts'
import { derivedId, signed } from '../signature.ts'
import { attempt, ladder } from './delivery-attempt.ts'
import { deliveryState, endDelivery } from './delivery-log.ts'

const taskName = 'delivery'

/** A call to an external address that a rule or a notification makes. */
interface DeliveryInput {
  /** The entity and the id of the record in whose log the delivery is listed, such as a `Rule`. */
  ownerEntity: string
  ownerId: Id
  url: string
  method?: OutboundCall['method']
  headers?: Readonly<Record<string, string>>
  body: string
  /** Identifies the message: a second call of `deliver` with the same id does nothing. */
  webhookId: string
  /** The kind of event, and its record. Calls about one record are made in order. */
  type?: string
  entity?: string
  recordId?: Id
  /** Signs the call: `whsec_…`. */
  secret?: string
}

/** Enqueues a call that is made after the commit, retried and logged like the calls of hooks. */
export async function deliver(ctx: Context, input: DeliveryInput): Promise<Id> {
  const { tenantId } = ctx.caller
  const id = derivedId(input.recordId ?? input.ownerId, input.ownerId, input.webhookId)
  const { headers = {}, secret } = input
  const sealed = ctx.services.secrets.sealFor(tenantId, id, sealedName, JSON.stringify({ headers, secret }))
  const rows =
    await ctx.sql`insert into delivery (tenant_id, id, owner_entity, owner_id, event_kind, entity, record_id, url, method, webhook_id, body, sealed, created)
    values (${tenantId}, ${id}, ${input.ownerEntity}, ${input.ownerId}, ${input.type ?? ''}, ${input.entity ?? ''}, ${input.recordId ?? null}, ${input.url},
      ${input.method ?? 'POST'}, ${input.webhookId}, ${input.body}, ${sealed}, ${ctx.now}) on conflict do nothing returning true`
  if (rows.length > 0) await enqueue(ctx, deliveryJob(id, input))
  return id
}

/** The job of a delivery. The calls of one owner to one host are a group, because an owner may have several endpoints. */
export function deliveryJob(
  id: Id,
  { ownerId, recordId, url }: { ownerId: Id; recordId?: Id | undefined; url: string },
) {
  const host = URL.parse(url)?.host ?? ''
  const lane = `delivery ${ownerId} ${recordId ?? newId()}`
  return { task: taskName, lane, group: `delivery ${ownerId} ${host}`, payload: { id } }
}

const sealedName = 'headers'

interface Row {
  ownerEntity: string
  ownerId: Id
  type: string
  entity: string
  recordId: Id | null
  url: string
  method: OutboundCall['method']
  webhookId: string
  body: string
  sealed: Buffer
}

export const deliveryTask: Task = {
  name: taskName,
  retryDelays: ladder,
  async run(work) {
    const id = String(work.payload.id)
    const { tenantId } = work
    const found = await work.single(work.service, async ctx => {
      const [row] =
        await ctx.sql<Row>`select owner_entity as "ownerEntity", owner_id as "ownerId", event_kind as type, entity, record_id as "recordId", url, method,
          webhook_id as "webhookId", body, sealed
        from delivery where tenant_id = ${tenantId} and id = ${id} and body is not null`
      const secrets: Pick<DeliveryInput, 'headers' | 'secret'> | undefined =
        row && JSON.parse(ctx.services.secrets.openFor(tenantId, id, sealedName, row.sealed))
      return row && { ...row, ...secrets }
    })
    if (!found) return
    const { url, method, body, webhookId, headers, secret } = found
    const type = { 'content-type': 'application/json' }
    const signature = signed({ id: webhookId, at: new Date(), body }, secret ? [secret] : [])
    const bare = method === 'GET' || method === 'HEAD'
    const call = { tenantId, method, url, headers: { ...type, ...headers, ...signature }, ...(bare ? {} : { body }) }
    const { failure } = await attempt(work, call, { id, ...found, recordId: found.recordId ?? undefined })
    if (failure instanceof TaskFailure) throw new GroupFailure(failure, 0)
    if (failure) throw failure
  },
  async onGiveUp({ payload, single, service }) {
    await single(service, ctx => endDelivery(ctx, String(payload.id), deliveryState.failed))
  },
}
