import { eventJson } from '../events.ts'
import type { Kind } from '../kinds.ts'
import type { Operation } from '../operation.ts'
import type { Schema } from '../schema/shape.ts'
import { name, nothing, raw, sql } from '../sql.ts'

export const eventSchema: Schema = {
  type: 'object',
  title: 'Event',
  properties: {
    seq: { type: 'string', description: 'The position in the log, for `after`.' },
    id: { type: 'string', format: 'uuid' },
    tenantId: { type: 'string', format: 'uuid' },
    at: { type: 'string', format: 'date-time' },
    type: { type: 'string', description: '`clock.updated`, `item.created` …' },
    entity: { type: 'string' },
    recordId: { type: 'string', format: 'uuid' },
    actor: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        kind: { type: 'string' },
        ruleId: { type: 'string', description: 'The rule that did it.' },
      },
      required: ['id', 'kind'],
    },
    changeSetId: { type: 'string', format: 'uuid' },
    changes: {
      type: 'object',
      description: 'Before and after of each property that changed: `{"name": {"from": "a", "to": "b"}}`.',
    },
  },
  required: ['seq', 'id', 'tenantId', 'at', 'type', 'entity', 'recordId', 'actor', 'changeSetId', 'changes'],
}

/** Lists the events of one record, oldest first. */
export function history(kind: Kind): Operation {
  return {
    permission: kind.permissions.read,
    placed: kind.placed,
    mode: 'read',
    summary: `History of a ${kind.entity}`,
    description:
      'Every change of this record: who, when, and before and after of each property, oldest first. A deleted record keeps its history.',
    query: {
      property: {
        type: 'string',
        description: 'Only the changes of this property: `status`, or `Field.` and the id of a custom field.',
      },
    },
    reply: { status: 200, schema: { type: 'array', items: eventSchema }, description: 'The events of the record.' },
    refusals: [404],
    async run(ctx, { params, query }) {
      const { id } = await kind.get(ctx, params.id ?? '', { deleted: true })
      const property = typeof query.property === 'string' ? query.property : undefined
      const [row] = await ctx.sql<{
        text: string
      }>`select coalesce(json_agg(${eventJson} order by e.xact, e.id), '[]')::text as text from event e where e.tenant_id = ${ctx.caller.tenantId} and e.record_id = ${id} and e.entity = ${kind.entity}
        and exists (select 1 from ${name(kind.table)} t where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id} and ${kind.historyVisible(ctx.caller, raw('t'))})
        ${property === undefined ? nothing : sql`and e.changes ? ${property}::text`}`
      return { text: row?.text ?? '[]' }
    },
  }
}
