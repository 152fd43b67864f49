import { actionTypes } from '../../../containers/action/action.ts'
import { errorShownTo } from '../../../containers/redaction/redaction.ts'
import { items, visibleItems } from '../../../items/item/item.ts'
import { may } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { isId } from '../../../kernel/id.ts'
import { operation, type Reply, type Routes } from '../../../kernel/operation.ts'
import { instantText } from '../../../kernel/record/columns.ts'
import { fault, Invalid, NotFound } from '../../../kernel/refusal.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import { and, or, raw, type Sql, sql } from '../../../kernel/sql.ts'
import { Code } from '../../../records/code-table.ts'
import { rules } from '../rule.ts'
import { triggers } from '../rule-codes.ts'
import { ruleOutcomes } from './log.ts'

const instant: Schema = { type: 'string', format: 'date-time' }
const id: Schema = { type: 'string', nullable: true }

export const conditionSchema: Schema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    group: { type: 'integer', description: 'The index of its group; one of the groups must hold.' },
    leftSide: { type: 'string' },
    operator: { type: 'integer' },
    rightSide: { type: 'string' },
    left: { type: 'string', nullable: true, description: 'The value of the left side.' },
    outcome: { type: 'boolean' },
    fault: { type: 'string', description: '`missing`, or why the condition cannot be read.' },
  },
  required: ['id', 'group', 'leftSide', 'operator', 'rightSide', 'left', 'outcome'],
}

export const actionResultSchema: Schema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    actionType: Code(actionTypes),
    field: { type: 'string' },
    before: {},
    after: {},
    note: { type: 'string' },
    reason: {
      type: 'string',
      description: 'Why the action chose this member of a group, or these users for the placeholders of a template.',
    },
    deliveryId: { type: 'string' },
    status: { type: 'integer', nullable: true, description: 'The last HTTP status of the call.' },
    ms: { type: 'number', nullable: true },
  },
  required: ['id', 'actionType'],
}

const entrySchema: Schema = {
  type: 'object',
  title: 'RuleLogEntry',
  properties: {
    id: { type: 'string' },
    ruleId: { type: 'string' },
    ruleName: { type: 'string' },
    at: instant,
    outcome: Code(ruleOutcomes, {
      description:
        '0 did not match · 1 acted · 2 matched and changed nothing · 3 failed · 4 reached a loop limit · 5 was skipped.',
    }),
    trigger: Code(triggers),
    eventId: id,
    event: { type: 'string' },
    recordId: id,
    itemId: id,
    changeSetId: id,
    depth: { type: 'integer', description: 'The number of rules before it in its chain.' },
    ms: { type: 'number' },
    conditions: { type: 'array', items: conditionSchema },
    actions: { type: 'array', items: actionResultSchema },
    error: { type: 'string' },
  },
  required: [
    'id',
    'ruleId',
    'ruleName',
    'at',
    'outcome',
    'event',
    'itemId',
    'changeSetId',
    'ms',
    'conditions',
    'actions',
    'error',
  ],
}

const paging: Record<string, Schema> = {
  limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
  before: { type: 'string', maxLength: 36, description: 'Returns entries older than this one.' },
  outcome: Code(ruleOutcomes),
}

/** Returns entries for items that the caller sees. Entries without an item need the permission to update rules. */
async function entries(ctx: Context, where: Sql, query: Record<string, unknown>): Promise<Reply> {
  const { tenantId } = ctx.caller
  const { limit = 100, before = '', outcome } = query
  if (before !== '' && !isId(before)) throw new Invalid([fault(['before'], 'id', 'must be the id of an entry')])
  const i = raw('i')
  const seen = sql`exists (select 1 from item i where i.tenant_id = ${tenantId} and i.id = l.item_id and ${visibleItems(ctx.caller, i)})`
  const which = and([
    where,
    may(ctx.caller, rules.permissions.update) ? or([sql`l.item_id is null`, seen]) : seen,
    ...(before === '' ? [] : [sql`l.id < ${before}::uuid`]),
    ...(outcome === undefined ? [] : [sql`l.outcome = ${Number(outcome)}`]),
  ])
  const rows = await ctx.sql<{
    error: string
    rule: object
  }>`select l.id, l.rule_id as "ruleId", r.name as "ruleName", ${instantText(sql`l.at`)} as at, l.outcome, l."trigger", l.event_id as "eventId",
      l.event_kind as event, l.record_id as "recordId", l.item_id as "itemId", l.change_set_id as "changeSetId", l.depth, l.ms, l.conditions, l.error,
      jsonb_build_array(r.condition_group, r.action_value, r.action_endpoint) as rule,
      coalesce((select json_agg(a || case when d.id is null then '{}' else jsonb_build_object('status', d.status, 'ms', d.ms) end order by n)
        from jsonb_array_elements(l.actions) with ordinality o(a, n) left join delivery d on d.tenant_id = ${tenantId} and d.id = (a ->> 'deliveryId')::uuid), '[]') as actions
    from rule_log l join rule r on r.tenant_id = ${tenantId} and r.id = l.rule_id
    where l.tenant_id = ${tenantId} and ${which} order by l.id desc limit ${Number(limit)}`
  return { body: rows.map(({ rule, error, ...row }) => ({ ...row, error: errorShownTo(ctx.caller, rule, error) })) }
}

const reply = {
  status: 200,
  schema: { type: 'array', items: entrySchema } satisfies Schema,
  description: 'The entries, newest first.',
}

const ofRule = operation({
  permission: rules.permissions.read,
  mode: 'read',
  summary: 'Log of a rule',
  description:
    'One entry for each evaluation of the rule: the event, the value of each condition, the change by each action. Entries are kept for 90 days. Of evaluations that did not match, the last 100 are kept, and only a sample is logged if there are many.',
  query: paging,
  reply,
  refusals: [404],
  async run(ctx, { params, query }) {
    const rule = await rules.get(ctx, params.id ?? '', { deleted: true })
    return await entries(ctx, sql`l.rule_id = ${rule.id}`, query)
  },
})

const ofItem = operation({
  permission: rules.permissions.read,
  mode: 'read',
  summary: 'Log of all rules for an item',
  description: 'The log entries of all rules for one item, or for all items without `itemId`, newest first.',
  query: { itemId: { type: 'string', maxLength: 36 }, ...paging },
  reply,
  refusals: [404],
  async run(ctx, { query }) {
    const itemId = String(query.itemId ?? '')
    if (itemId === '') return await entries(ctx, raw('true'), query)
    if (!isId(itemId)) throw new NotFound()
    const item = await items.get(ctx, itemId, { deleted: true })
    return await entries(ctx, sql`l.item_id = ${item.id}`, query)
  },
})

export const routes: Routes = { 'GET /rule/:id/log': ofRule, 'GET /rule/log': ofItem }
