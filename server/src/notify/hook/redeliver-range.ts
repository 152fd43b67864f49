import { enqueue, type LoggedEvent } from '../../engine/dispatch/dispatch.ts'
import { parsePosition } from '../../engine/live/log-position.ts'
import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import { operation } from '../../kernel/operation.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { nothing, sql } from '../../kernel/sql.ts'
import { hooks } from './hook.ts'
import { hookJobs } from './hook-listener.ts'

/** How many events one request delivers again. */
const maxEvents = 10_000

/** A part of the event log, by time or by position. */
interface LogRange {
  from?: string
  to?: string
  after?: string
}

const rangeSchema: Schema = {
  type: 'object',
  properties: {
    from: { type: 'string', format: 'date-time', maxLength: 40, description: 'Events from this moment on …' },
    to: { type: 'string', format: 'date-time', maxLength: 40, description: '… and before this one.' },
    after: { type: 'string', maxLength: 60, description: 'Only events after this `seq` of the event log.' },
  },
  additionalProperties: false,
}

export const redeliverRange = operation({
  permission: hooks.permissions.update,
  mode: 'write',
  summary: 'Deliver a range of the event log again',
  description:
    'Sends the events between two moments, or after a position in the event log (`after`, a `seq`), to the hook again: all that it selects, in order, each with the `webhook-id` it had. At most 10,000 events per request.',
  body: {
    schema: rangeSchema,
    read: reader<LogRange>(rangeSchema),
    example: { from: '2026-01-05T08:00:00Z', to: '2026-01-05T09:00:00Z' },
  },
  reply: {
    status: 202,
    schema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
    description: 'How many events will be delivered.',
  },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const hook = await hooks.get(ctx, params.id ?? '')
    const found = await hookJobs(ctx, [hook], await eventsInRange(ctx, body))
    const jobs = found.map(({ event, ...job }) => job)
    for (let i = 0; i < jobs.length; i += 1000) {
      const [first, ...more] = jobs.slice(i, i + 1000)
      if (first) await enqueue(ctx, first, ...more)
    }
    return { status: 202, body: { count: jobs.length } }
  },
})

async function eventsInRange(ctx: Context, range: LogRange): Promise<LoggedEvent[]> {
  const after = parsePosition(range.after)
  if (!after && !range.from) throw new Invalid([fault(['from'], 'required', 'either `from` or `after` is required')])
  const rows = await ctx.sql<Omit<LoggedEvent, 'changes'> & { changes: Changes }>`
    select e.tenant_id as "tenantId", e.xact::text as xact, e.id, e.at, e.kind, e.entity, e.record_id as "recordId", e.actor_id as "actorId",
      e.actor_kind as "actorKind", e.change_set_id as "changeSetId",
      case when pg_column_size(e.changes) <= 4000 then e.changes else '{}'::jsonb end as changes
    from event e where e.tenant_id = ${ctx.caller.tenantId}
      ${after ? sql`and (e.xact, e.id) > (${after.xact}::xid8, ${after.id}::uuid)` : nothing}
      ${range.from ? sql`and e.at >= ${range.from}::timestamptz` : nothing} ${range.to ? sql`and e.at < ${range.to}::timestamptz` : nothing}
    order by e.xact, e.id limit ${maxEvents + 1}`
  if (rows.length > maxEvents)
    throw new RuleBroken(
      'too-many-events',
      `at most ${maxEvents} events are delivered again at a time; choose a shorter range`,
      [],
    )
  return rows
}
