import { action } from '../../../containers/action/action.ts'
import type { LoggedEvent } from '../../../engine/dispatch/dispatch.ts'
import { reversals } from '../../../engine/undo/reversal.ts'
import { items } from '../../../items/item/item.ts'
import { recordInBody } from '../../../items/record-in-body.ts'
import { undoItems } from '../../../items/undo.ts'
import type { Context } from '../../../kernel/context.ts'
import { withSystemAuthority } from '../../../kernel/context.ts'
import { type Id, isId, newId } from '../../../kernel/id.ts'
import { operation, type Routes } from '../../../kernel/operation.ts'
import { pointsAtNothing, refuseUnknownReferences } from '../../../kernel/references.ts'
import { fault, Invalid } from '../../../kernel/refusal.ts'
import type { Schema } from '../../../kernel/shape.ts'
import { readEndpoints } from '../../../notify/endpoint.ts'
import { type ActingRule, matchRules } from '../engine/evaluate.ts'
import { indexed, liveRules } from '../engine/live-rules.ts'
import { itemsOf, mailOf, type Occurrence, occurrenceOf, readEvents } from '../engine/occurrence.ts'
import { pass } from '../engine/pass.ts'
import { principalOf } from '../engine/principal.ts'
import { checkRule, normalized, type Rule, type RuleValues, rules } from '../rule.ts'
import { mode, trigger } from '../rule-codes.ts'
import { requestedOccurrence } from '../triggers/manual-run.ts'
import { eventsBetween, eventsOfItem } from './event-history.ts'
import { type LogEntry, outcome } from './log.ts'
import { actionResultSchema, conditionSchema } from './log-operations.ts'

/** So many events are looked at, so many that the rule cares about are replayed, and so many are told one by one. */
const max = { read: 20_000, replayed: 500, told: 200 } as const

interface Question {
  rule: Partial<RuleValues>
  itemId?: string
  since?: string
  until?: string
}

const instant: Schema = { type: 'string', format: 'date-time', maxLength: 40 }
const questionSchema: Schema = {
  type: 'object',
  properties: {
    rule: { ...rules.updateSchema, required: [] },
    itemId: { type: 'string', maxLength: 36, 'x-ref': 'Item' },
    since: instant,
    until: instant,
  },
  required: ['rule'],
  additionalProperties: false,
}

const count: Schema = { type: 'integer' }
const counts = { matched: count, acted: count, failed: count }
const answerSchema: Schema = {
  type: 'object',
  title: 'RuleRehearsal',
  properties: {
    events: { ...count, description: 'Events that the rule cares about.' },
    ...counts,
    complete: { type: 'boolean', description: 'Whether all of the time asked about was looked at.' },
    days: {
      type: 'array',
      items: {
        type: 'object',
        properties: { date: { type: 'string', format: 'date' }, ...counts },
        required: ['date', ...Object.keys(counts)],
      },
    },
    would: {
      type: 'array',
      description: `What it would have done, the first ${max.told}.`,
      items: {
        type: 'object',
        properties: {
          at: { type: 'string', format: 'date-time' },
          event: { type: 'string' },
          itemId: { type: 'string', nullable: true },
          outcome: { type: 'integer', description: 'As in the log.' },
          conditions: { type: 'array', items: conditionSchema },
          actions: { type: 'array', items: actionResultSchema },
          error: { type: 'string' },
          next: {
            type: 'array',
            description: 'The rules that are there and would act on what it changes, as far as their conditions tell.',
            items: {
              type: 'object',
              properties: { ruleId: { type: 'string' }, name: { type: 'string' } },
              required: ['ruleId', 'name'],
            },
          },
        },
        required: ['at', 'event', 'itemId', 'outcome', 'conditions', 'actions', 'error', 'next'],
      },
    },
  },
  required: ['events', ...Object.keys(counts), 'complete', 'days', 'would'],
}

const dryRun = operation<Question>({
  permission: rules.permissions.create,
  mode: 'write',
  summary: 'Try a rule',
  description: `Says what a rule that is only just being written would do: to an item as it is (\`itemId\`; the last event of it that the rule cares about counts as what happened), or what it would have done to all that happened between \`since\` and \`until\`, each item as it was then. Nothing is stored, sent or called. At most ${max.replayed} events are replayed. \`next\` names the saved rules that would act on what it changes; what these would do is not followed.`,
  body: {
    schema: questionSchema,
    read: recordInBody<Question>(questionSchema, 'rule', ['stats', 'lastRun', 'lastError']),
    example: {
      rule: {
        name: 'Urgent',
        triggerEvent: 1,
        actionValue: [{ actionType: action.setField, field: 'priority', value: 1 }],
      },
      since: '2026-03-01T00:00:00Z',
    },
  },
  reply: { status: 200, schema: answerSchema, description: 'What it would do.' },
  refusals: [422],
  async run(ctx, { body }) {
    if ((body.itemId === undefined) === (body.since === undefined))
      throw new Invalid([fault(['itemId'], 'required', 'say what to try it on: either itemId or since')])
    const rule = await draftOf(ctx, body.rule)
    const { asked, complete } =
      body.itemId === undefined ? await between(ctx, rule, body) : await onItem(ctx, rule, body.itemId)
    const entries: (DryRunEntry | undefined)[] = []
    const done = new Set<string>()
    for (const each of asked) {
      if (rule.oncePerRecord && done.has(each.occurrence.itemId ?? '')) continue
      const entry = await replay(ctx, rule, each)
      if (entry?.outcome === outcome.acted) done.add(each.occurrence.itemId ?? '')
      entries.push(entry)
    }
    return { body: { events: asked.length, complete, ...summary(entries.filter(each => each !== undefined)) } }
  },
})

/** The rule as it would be stored, in the name of who tries it. */
async function draftOf(ctx: Context, given: Partial<RuleValues>): Promise<Rule> {
  const { faults, masked } = readEndpoints(ctx, given.actionEndpoint ?? [], [])
  if (faults.length > 0)
    throw new Invalid(faults.map(each => ({ ...each, Field: `rule.${each.Field}`, Pointer: `/rule${each.Pointer}` })))
  const { tenantId, userId } = ctx.caller
  const values = rules.completed({
    ...normalized(given),
    actionEndpoint: masked,
    ownerUser: given.ownerUser || userId,
    active: true,
    debounce: '',
  })
  await refuseUnknownReferences(ctx, rules.columns, values, undefined)
  await checkRule(ctx, values, undefined)
  const now = ctx.now.toISOString()
  return {
    ...values,
    entity: rules.entity,
    tenantId,
    id: newId(),
    created: now,
    createdBy: userId,
    updated: now,
    updatedBy: userId,
    deleted: false,
    version: 1,
  }
}

interface Asked {
  occurrence: Occurrence
  /** The event after which the item is to be as it was; none leaves it as it is. */
  event?: LoggedEvent
}

function interestOf(rule: Rule): (event: LoggedEvent) => boolean {
  const index = indexed([rule])
  return event => index.caring(event, rule.mode === mode.beforeCommit ? 'beforeCommit' : 'afterCommit').length > 0
}

async function onItem(ctx: Context, rule: Rule, itemId: string): Promise<{ asked: Asked[]; complete: boolean }> {
  const item = isId(itemId) ? await items.find(ctx, itemId) : undefined
  if (!item) throw pointsAtNothing([{ entity: 'Item', id: itemId, path: ['itemId'] }])
  const event = (await eventsOfItem(ctx, item.id)).find(interestOf(rule))
  const occurrence = event ? occurrenceOf(event, item.id) : requestedOccurrence(ctx, 'rule.run', item.id)
  return { asked: [{ occurrence }], complete: true }
}

async function between(
  ctx: Context,
  rule: Rule,
  { since = '', until }: Question,
): Promise<{ asked: Asked[]; complete: boolean }> {
  if (rule.trigger !== trigger.event && rule.trigger !== trigger.clock)
    throw new Invalid([
      fault(['since'], 'not-by-events', 'only rules that wait for events can be tried on history; name an itemId'),
    ])
  const { events, complete } = await eventsBetween(ctx, new Date(since), until ? new Date(until) : ctx.now, {
    cares: interestOf(rule),
    read: max.read,
    most: max.replayed,
  })
  const about = await itemsOf(ctx, events)
  const asked: Asked[] = []
  for (const event of events) {
    const occurrence = occurrenceOf(event, about.get(event.id) ?? null)
    asked.push({ event, occurrence: { ...occurrence, more: await mailOf(ctx, occurrence) } })
  }
  return { asked, complete }
}

/** What the rule makes of it, in a world that is taken back at once. */
async function replay(ctx: Context, rule: Rule, { occurrence, event }: Asked): Promise<DryRunEntry | undefined> {
  await ctx.sql`savepoint dry_run`
  const then = withSystemAuthority(ctx).derive({ now: event?.at ?? ctx.now })
  if (event && occurrence.itemId) await rewind(then, occurrence.itemId, event)
  const [entry] = await pass(then, [rule], occurrence, { dryRun: true, waited: true })
  const next = entry?.changeSetId ? await triggeredBy(then, entry.changeSetId) : []
  await ctx.sql`rollback to savepoint dry_run`
  return entry && { ...entry, next }
}

interface DryRunEntry extends LogEntry {
  next: Rule[]
}

/** The saved rules whose conditions hold for what was changed, while it is. */
async function triggeredBy(ctx: Context, changeSetId: Id): Promise<Rule[]> {
  const live = await liveRules(ctx)
  if (!live.listens) return []
  const places = await ctx.sql<{ xact: string; id: Id }>`select xact::text as xact, id from event
    where tenant_id = ${ctx.caller.tenantId} and change_set_id = ${changeSetId}`
  const events = await readEvents(ctx, places)
  const about = await itemsOf(ctx, events)
  const woken = new Set<Rule>()
  for (const event of events) {
    const actingRules: ActingRule[] = []
    for (const rule of live.caring(event, 'afterCommit')) {
      const principal = await principalOf(ctx, rule, event.actorId)
      if (principal) actingRules.push({ rule, principal })
    }
    const [holds = []] = await matchRules(ctx, actingRules, [occurrenceOf(event, about.get(event.id) ?? null)])
    for (const [n, { rule }] of actingRules.entries()) if (holds[n]) woken.add(rule)
  }
  return live.all.filter(rule => woken.has(rule))
}

/** The item as it was when this had just happened to it. */
async function rewind(ctx: Context, itemId: Id, { xact, id }: LoggedEvent): Promise<void> {
  const later = await ctx.sql<{ kind: string; entity: string; recordId: Id; changes: LoggedEvent['changes'] }>`
    select kind, entity, record_id as "recordId", changes from event
    where tenant_id = ${ctx.caller.tenantId} and record_id = ${itemId} and entity = 'Item' and kind = 'item.updated' and (xact, id) > (${xact}::xid8, ${id}::uuid) order by xact, id`
  if (later.length > 0) await undoItems(ctx, reversals(later), newId())
}

function summary(entries: readonly DryRunEntry[]) {
  const tally = (some: readonly LogEntry[]) => ({
    matched: some.length,
    acted: some.filter(each => each.outcome === outcome.acted).length,
    failed: some.filter(each => each.outcome === outcome.failed || each.outcome === outcome.tripped).length,
  })
  const days = Map.groupBy(entries, each => each.occurrence.at.toISOString().slice(0, 10))
  return {
    ...tally(entries),
    days: [...days].map(([date, some]) => ({ date, ...tally(some) })),
    would: entries.slice(0, max.told).map(({ occurrence, outcome, conditions, actions = [], error = '', next }) => ({
      ...{
        at: occurrence.at.toISOString(),
        event: occurrence.kind,
        itemId: occurrence.itemId,
        outcome,
        conditions,
        error,
      },
      actions: actions.map(({ deliveryId, ...result }) => result),
      next: next.map(({ id: ruleId, name }) => ({ ruleId, name })),
    })),
  }
}

export const routes: Routes = { 'POST /rule/dry-run': dryRun }
