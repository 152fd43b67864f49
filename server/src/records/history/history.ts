import type { Context } from '../../kernel/context.ts'
import type { Kind } from '../../kernel/kinds.ts'
import type { Operation } from '../../kernel/operation.ts'
import type { Common } from '../../kernel/record/record.ts'
import { fault, Invalid, NotFound } from '../../kernel/refusal.ts'
import { nearest, type Schema } from '../../kernel/schema/shape.ts'
import { name, nothing, raw, type Sql, sql } from '../../kernel/sql.ts'
import { changesShown, hiddenAmounts } from '../amounts.ts'
import { asOfQuery, readAsOf } from './as-of.ts'
import { eventJson } from './event-json.ts'
import { wholeChanges } from './whole-changes.ts'

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

export const historyQuery: Record<string, Schema> = {
  property: {
    type: 'string',
    description: 'Only the changes of this property: `status`, or `Field.` and the id of a custom field.',
  },
  asOf: { ...asOfQuery, description: `Only the events until this moment. ${asOfQuery.description}` },
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
    query: historyQuery,
    reply: { status: 200, schema: { type: 'array', items: eventSchema }, description: 'The events of the record.' },
    refusals: [404, 422],
    async run(ctx, { params, query }) {
      const record = await kind.get(ctx, params.id ?? '', { deleted: true })
      const { id } = record
      const { tenantId } = ctx.caller
      return await historyOf(
        ctx,
        kind,
        query,
        record,
        sql`e.record_id = ${id} and e.entity = ${kind.entity}
        and exists (select 1 from ${name(kind.table)} t where t.tenant_id = ${tenantId} and t.id = ${id} and ${kind.historyVisible(ctx.caller, raw('t'))})`,
      )
    },
  }
}

/** The events of a record that fulfil a condition, with all their changes or with that of the property that the query names. */
export async function historyOf(
  ctx: Context,
  kind: Pick<Kind, 'entity' | 'schema'>,
  query: Record<string, unknown>,
  record: Pick<Common, 'created'>,
  where: Sql,
): Promise<{ text: string }> {
  const at = await readAsOf(ctx, query.asOf)
  if (at && Date.parse(record.created) > at.getTime()) throw new NotFound()
  const property = query.property === undefined ? undefined : readProperty(ctx, kind, String(query.property))
  const events = sql`select e.tenant_id, e.xact, e.id, e.at, e.kind, e.entity, e.record_id, e.actor_id, e.actor_kind, e.cause, e.change_set_id, ${wholeChanges} as changes
    from event e where e.tenant_id = ${ctx.caller.tenantId} and ${where} ${at ? sql`and e.at <= ${at}` : nothing}`
  const ofProperty = sql`select e.tenant_id, e.xact, e.id, e.at, e.kind, e.entity, e.record_id, e.actor_id, e.actor_kind, e.cause, e.change_set_id,
    jsonb_build_object(${property}::text, e.changes -> ${property}::text) as changes from (${events}) e where e.changes ? ${property}::text`
  const [row] = await ctx.sql<{
    text: string
  }>`select coalesce(json_agg(${eventJson(changesShown(ctx.caller, raw('e.changes')))} order by e.xact, e.id), '[]')::text as text from (${property === undefined ? events : ofProperty}) e`
  return { text: row?.text ?? '[]' }
}

/** The name of a property as events have it; a hidden one is as unknown as one that does not exist. */
function readProperty(
  { caller, services }: Context,
  { entity, schema }: Pick<Kind, 'entity' | 'schema'>,
  text: string,
): string {
  const names = Object.keys(schema.properties ?? {})
  const custom = /^field\.(.+)$/i.exec(text)?.[1]
  const known = custom ? `Field.${custom}` : names.find(each => each.toLowerCase() === text.toLowerCase())
  const hidden = services.redaction.hides(caller, entity, custom ?? known ?? '')
  if (known && !hidden && !hiddenAmounts(caller, entity).includes(known)) return known
  const near = nearest(text, names)
  const message = `is not a property of this record${near ? `; did you mean ${near}?` : ''}`
  throw new Invalid([fault(['property'], 'unknown', message, text)], 'the query is not valid')
}
