import { visibleItems } from '../../../../items/item/item.ts'
import { operation, type Routes } from '../../../../kernel/operation.ts'
import { instantText } from '../../../../kernel/record/columns.ts'
import { type Fault, fault, Invalid } from '../../../../kernel/refusal.ts'
import type { Schema } from '../../../../kernel/schema/shape.ts'
import { readWhole } from '../../../../kernel/schema/whole-number.ts'
import { and, or, raw, sql } from '../../../../kernel/sql.ts'
import { Code } from '../../../../records/code-table.ts'
import { recordInBody } from '../../../../records/input/record-in-body.ts'
import { ruleOutcomes } from '../../log/log.ts'
import { conditionSchema } from '../../log/log-operations.ts'
import { draftOf } from '../dry-run.ts'
import { type DryRunInput, entrySchema, inputSchema } from '../dry-run-schema.ts'
import { hasHistory } from '../history-scan.ts'
import { ruleEstimateSchema } from '../message-estimate.ts'
import {
  beginDryRun,
  dryRunBody,
  dryRunPermission,
  dryRunState,
  dryRunStates,
  endDryRun,
  keptDays,
  maxResults,
  maxRunning,
  ownDryRun,
  ownDryRuns,
} from './dry-run-job.ts'

const { itemId: _, ...properties } = inputSchema.properties ?? {}
const jobInput: Schema = { ...inputSchema, properties, required: ['rule', 'since'] }

const instant: Schema = { type: 'string', format: 'date-time' }
const count: Schema = { type: 'integer' }
const counts = { matched: count, acted: count, failed: count }
const { left: _left, outcome: _outcome, fault: _fault, ...condition } = conditionSchema.properties ?? {}

const jobProperties: Record<string, Schema> = {
  id: { type: 'string' },
  name: { type: 'string', description: 'The name of the rule.' },
  state: Code(dryRunStates, { description: '0 running · 1 done · 2 cancelled · 3 failed.' }),
  since: instant,
  until: instant,
  reached: { ...instant, description: 'Up to when the period is done.' },
  progress: { type: 'number', description: 'The part of the period that is done, from 0 to 1.' },
  events: { ...count, description: 'Events of the log that were read, or items that were due.' },
  triggered: { ...count, description: 'How many of them trigger the rule, on items that the caller sees.' },
  ...counts,
  listed: { ...count, description: `The results that are kept, at most ${maxResults}.` },
  conditions: {
    type: 'array',
    description: 'How often each condition held, of all events that trigger the rule.',
    items: {
      type: 'object',
      properties: { ...condition, held: count },
      required: ['id', 'group', 'leftSide', 'operator', 'rightSide', 'held'],
    },
  },
  days: {
    type: 'array',
    items: {
      type: 'object',
      properties: { date: { type: 'string', format: 'date' }, ...counts },
      required: ['date', ...Object.keys(counts)],
    },
  },
  messages: ruleEstimateSchema,
  error: { type: 'string', description: 'Why it failed.' },
  began: instant,
  ended: { ...instant, nullable: true },
  expires: { ...instant, description: `When it is deleted: after ${keptDays} days.` },
}

const jobSchema: Schema = {
  type: 'object',
  title: 'RuleDryRun',
  properties: jobProperties,
  required: Object.keys(jobProperties),
}

const begin = operation<DryRunInput>({
  permission: dryRunPermission,
  mode: 'write',
  summary: 'Begin a dry run over a period',
  description: `Tries a rule that is not saved yet on everything that would have triggered it between \`since\` and \`until\` (by default now), as a job in the background: events, thresholds of clocks, planned times, dates and inactivity, each item as it was then, of those that the caller sees. Dates and inactivity are looked at hourly. Nothing is stored, sent or called but its results, which are kept for ${keptDays} days. At most ${maxRunning.user} runs for a user, and ${maxRunning.tenant} for a tenant (409 \`dry-run-running\`).`,
  body: {
    schema: jobInput,
    read: recordInBody<DryRunInput>(jobInput, 'rule', ['stats', 'lastRun', 'lastError']),
    example: { rule: { name: 'Urgent', triggerEvent: 1 }, since: '2026-03-01T00:00:00Z' },
  },
  reply: { status: 202, schema: jobSchema, description: 'The job that has begun.' },
  refusals: [409, 422],
  async run(ctx, { body }) {
    const [since, until] = [new Date(body.since ?? ''), body.until ? new Date(body.until) : ctx.now]
    if (since >= until)
      throw new Invalid([fault(['since'], 'range', 'must be before the end of the period', body.since)])
    const draft = await draftOf(ctx, body.rule)
    if (!hasHistory(draft))
      throw new Invalid([fault(['rule', 'trigger'], 'no-history', 'only events and times can be tried on history')])
    // A schedule by a duration counts from the creation of the rule.
    const rule = { ...draft, created: since.toISOString() }
    return { body: dryRunBody(await beginDryRun(ctx, rule, { since, until })) }
  },
})

const list = operation({
  permission: dryRunPermission,
  mode: 'read',
  summary: 'Own dry runs',
  description: 'The dry runs over a period that the caller has begun, the newest first.',
  query: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
  reply: { status: 200, schema: { type: 'array', items: jobSchema }, description: 'The jobs.' },
  refusals: [],
  async run(ctx, { query }) {
    const limit = readWhole('limit', query.limit, 1, 100) ?? 20
    return { body: (await ownDryRuns(ctx, limit)).map(dryRunBody) }
  },
})

const get = operation({
  permission: dryRunPermission,
  mode: 'read',
  summary: 'Progress of a dry run',
  description: 'How far a dry run over a period has come, and what it has counted.',
  reply: { status: 200, schema: jobSchema, description: 'The job.' },
  refusals: [404],
  run: async (ctx, { params }) => ({ body: dryRunBody(await ownDryRun(ctx, params.id ?? '')) }),
})

const cancel = operation({
  permission: dryRunPermission,
  mode: 'write',
  summary: 'Cancel a dry run',
  description: 'Ends a dry run over a period; what it has found stays. One that has ended is left as it is.',
  reply: { status: 200, schema: jobSchema, description: 'The job.' },
  refusals: [404],
  async run(ctx, { params }) {
    const { id } = await ownDryRun(ctx, params.id ?? '')
    await endDryRun(ctx, id, dryRunState.cancelled)
    return { body: dryRunBody(await ownDryRun(ctx, id)) }
  },
})

const results = operation({
  permission: dryRunPermission,
  mode: 'read',
  summary: 'Results of a dry run',
  description:
    'What the rule would have done, in the order of time: the conditions, the actions, and what the saved rules would have done in turn. Items that the caller no longer sees are left out. `after` is the `n` of the last result of the page before.',
  query: {
    limit: { type: 'integer', minimum: 1, maximum: 500, default: 100 },
    after: { type: 'integer', minimum: -1, description: 'Returns results behind this one.' },
    outcome: Code(ruleOutcomes),
  },
  reply: {
    status: 200,
    schema: {
      type: 'array',
      items: {
        ...entrySchema,
        title: 'RuleDryRunResult',
        properties: { n: count, ...entrySchema.properties },
        required: ['n', ...(entrySchema.required ?? [])],
      },
    },
    description: 'The results.',
  },
  refusals: [404],
  async run(ctx, { params, query }) {
    const { id } = await ownDryRun(ctx, params.id ?? '')
    const { tenantId } = ctx.caller
    const faults: Fault[] = []
    const limit = readWhole('limit', query.limit, 1, 500, faults) ?? 100
    const after = readWhole('after', query.after, -1, maxResults, faults) ?? -1
    const outcome = readWhole('outcome', query.outcome, 0, 99, faults)
    if (faults.length > 0) throw new Invalid(faults, 'the query is not valid')
    const seen = sql`exists (select 1 from item i where i.tenant_id = ${tenantId} and i.id = r.item_id and ${visibleItems(ctx.caller, raw('i'))})`
    const which = and([
      or([sql`r.item_id is null`, seen]),
      ...(outcome === undefined ? [] : [sql`r.outcome = ${outcome}`]),
    ])
    const rows =
      await ctx.sql`select r.n, ${instantText(sql`r.at`)} as at, r.event, r.item_id as "itemId", r.outcome, r.conditions, r.actions, r.next, r.error
      from rule_dry_run_result r where r.tenant_id = ${tenantId} and r.run_id = ${id} and r.n > ${after} and ${which} order by r.n limit ${limit}`
    return { body: rows }
  },
})

export const routes: Routes = {
  'GET /rule/dry-run/job': list,
  'POST /rule/dry-run/job': begin,
  'GET /rule/dry-run/job/:id': get,
  'GET /rule/dry-run/job/:id/result': results,
  'POST /rule/dry-run/job/:id/cancel': cancel,
}
