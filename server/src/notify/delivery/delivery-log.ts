import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'

/** The states of a delivery. */
export const deliveryState = { waiting: 0, delivered: 1, failed: 2, cancelled: 3 } as const
export const deliveryStates = codeTableOfCodes('delivery.state', deliveryState)

/** A call to an external address, with its attempts. */
export interface Delivery {
  id: Id
  ownerEntity: string
  ownerId: Id
  eventSeq: string
  eventId: Id
  type: string
  entity: string
  recordId: Id
  url: string
  method: string
  webhookId: string
  created: string
  state: number
  attempts: number
  status: number | null
  ms: number | null
  error: string
  nextAt: string | null
}

const instant: Schema = { type: ['string', 'null'], format: 'date-time' }

export const deliverySchema: Schema = {
  type: 'object',
  title: 'Delivery',
  description:
    'One call to a foreign address, with all its attempts. Only the size and the hash of the body are stored, and only the status of the answer.',
  properties: {
    id: { type: 'string' },
    ownerEntity: {
      type: 'string',
      description: 'The kind of the record that sent it: `Hook`, `Rule` or `Notification`.',
    },
    ownerId: { type: 'string' },
    eventSeq: { type: 'string', description: 'The position of the event in the log.' },
    eventId: { type: 'string' },
    type: { type: 'string', description: 'The name of the event, such as `item.closed`.' },
    entity: { type: 'string' },
    recordId: { type: 'string' },
    url: { type: 'string' },
    method: { type: 'string' },
    webhookId: { type: 'string', description: 'The header `webhook-id`, the same in every attempt.' },
    created: { type: 'string', format: 'date-time' },
    state: Code(deliveryStates),
    attempts: { type: 'integer' },
    status: { type: ['integer', 'null'], description: 'The HTTP status of the last answer.' },
    ms: { type: ['integer', 'null'] },
    error: { type: 'string' },
    size: { type: ['integer', 'null'], description: 'Bytes of the body that was sent last.' },
    digest: { type: 'string', description: 'SHA-256 of that body, in hex.' },
    tries: {
      type: 'array',
      description: 'The last attempts, the newest last.',
      items: {
        type: 'object',
        properties: {
          at: { type: 'string', format: 'date-time' },
          status: { type: ['integer', 'null'] },
          ms: { type: ['integer', 'null'] },
          error: { type: 'string' },
        },
      },
    },
    nextAt: { ...instant, description: 'When the next attempt is made.' },
  },
  required: ['id', 'ownerEntity', 'ownerId', 'url', 'webhookId', 'state', 'attempts'],
}

const at = (column: string): Sql => raw(`to_char(d.${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

/** The JSON of a delivery in responses. */
export const deliveryJson: Sql = sql`json_build_object('id', d.id, 'ownerEntity', d.owner_entity, 'ownerId', d.owner_id,
  'eventSeq', coalesce(d.event_xact::text || '-' || d.event_id::text, ''), 'eventId', coalesce(d.event_id::text, ''), 'type', d.event_kind,
  'entity', d.entity, 'recordId', coalesce(d.record_id::text, ''), 'url', d.url, 'method', d.method, 'webhookId', d.webhook_id, 'created', ${at('created')},
  'state', d.state, 'attempts', d.attempts, 'status', d.status, 'ms', d.ms, 'error', d.error, 'size', d.size, 'digest', d.digest, 'tries', d.tries,
  'nextAt', ${at('next_at')})`

/** How many attempts of one delivery the log keeps. */
const maxTries = 20

export interface Attempt {
  status: number | undefined
  ms: number | undefined
  error: string
  state: number
  nextAt: Date | undefined
  digest: string
  size: number
}

/** A delivery before its first attempt. */
export interface NewDelivery {
  id: Id
  ownerEntity: string
  ownerId: Id
  event?: { xact: string; id: Id } | undefined
  type: string
  entity: string
  recordId: Id | undefined
  url: string
  method: string
  webhookId: string
}

/** A delivery and its newest attempt. */
export interface TriedDelivery {
  delivery: NewDelivery
  attempt: Attempt
}

/**
 * Records how attempts went, each of another delivery; the first attempt inserts the row. The commit is asynchronous: if a crash loses
 * these rows, it also loses the ends of the jobs, which are then run again.
 */
export async function recordAttempts(ctx: Context, tried: readonly TriedDelivery[]): Promise<void> {
  const rows = tried.map(
    ({ delivery, attempt: { status = null, ms = null, error, state, nextAt = null, digest, size } }) => ({
      ...delivery,
      xact: delivery.event?.xact ?? null,
      eventId: delivery.event?.id ?? null,
      recordId: delivery.recordId ?? null,
      ...{ status, ms, error, state, nextAt, digest, size },
      tries: [{ at: new Date().toISOString(), status, ms, error }],
    }),
  )
  await ctx.sql`insert into delivery (tenant_id, id, owner_entity, owner_id, event_xact, event_id, event_kind, entity, record_id, url, method, webhook_id, created,
      state, attempts, status, ms, error, digest, size, tries, next_at)
    select ${ctx.caller.tenantId}::uuid, r.id, r."ownerEntity", r."ownerId", r.xact, r."eventId", r.type, r.entity, r."recordId", r.url, r.method, r."webhookId", now(),
      r.state, 1, r.status, r.ms, r.error, r.digest, r.size, r.tries, r."nextAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, "ownerEntity" text, "ownerId" uuid, xact xid8, "eventId" uuid, type text, entity text, "recordId" uuid,
      url text, method text, "webhookId" text, state int, status int, ms int, error text, digest text, size int, tries jsonb, "nextAt" timestamptz)
    on conflict (tenant_id, id) do update set state = excluded.state, attempts = delivery.attempts + 1, url = excluded.url, event_kind = excluded.event_kind,
      status = excluded.status, ms = excluded.ms, error = excluded.error, digest = excluded.digest, size = excluded.size, next_at = excluded.next_at,
      tries = case when jsonb_array_length(delivery.tries) >= ${maxTries} then delivery.tries - 0 else delivery.tries end || excluded.tries
    returning set_config('synchronous_commit', 'off', true)`
}

/** Ends a delivery that is not tried again. */
export async function endDelivery(ctx: Context, id: Id, state: number, error?: string): Promise<void> {
  await ctx.sql`update delivery set state = ${state}, next_at = null, error = coalesce(${error ?? null}::text, error)
    where tenant_id = ${ctx.caller.tenantId} and id = ${id} and state = ${deliveryState.waiting}`
}
