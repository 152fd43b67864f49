import { action } from '../../../containers/action/action.ts'
import { errorShownTo } from '../../../containers/redaction/redaction.ts'
import type { LoggedEvent } from '../../../engine/dispatch/dispatch.ts'
import { items } from '../../../items/item/item.ts'
import type { Caller } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { isId, newId } from '../../../kernel/id.ts'
import { operation, type Routes } from '../../../kernel/operation.ts'
import { refuseUnknownReferences, unknownReferences } from '../../../kernel/record/references.ts'
import { fault, Invalid } from '../../../kernel/refusal.ts'
import { readEndpoints } from '../../../notify/endpoint.ts'
import { addedMessages, estimateBody, totalOf } from '../../../notify/noise/noise.ts'
import { recordInBody } from '../../../records/input/record-in-body.ts'
import { indexed } from '../engine/live-rules.ts'
import { itemsOf, mailOf, type Occurrence, occurrenceOf } from '../engine/occurrence.ts'
import { type ActionResult, type LogEntry, outcome } from '../log/log.ts'
import { checkRule, normalized, type Rule, type RuleValues, rules } from '../rule.ts'
import { mode, trigger } from '../rule-codes.ts'
import { requestedOccurrence } from '../triggers/manual-run.ts'
import { type DryRunInput, dryRunLimits, inputSchema, resultSchema } from './dry-run-schema.ts'
import { eventsBetween, eventsOfItem } from './event-history.ts'
import { matchAll } from './history-scan.ts'
import { type DryRunEntry, type ReplayedOccurrence, replay } from './replay.ts'

const dryRun = operation<DryRunInput>({
  permission: rules.permissions.create,
  mode: 'write',
  summary: 'Dry run of a rule',
  description: `Dry run of a rule that is not saved yet: on an item as it is (\`itemId\`; the last event of the item that triggers the rule is used), or on all events between \`since\` and \`until\`, with each item in its state at that time, of those that the caller sees. Nothing is stored, sent or called. At most ${dryRunLimits.replayed} events are replayed; a job tries a longer period. \`messages\` is how much it would send, and \`next\` what the saved rules would do in turn.`,
  body: {
    schema: inputSchema,
    read: recordInBody<DryRunInput>(inputSchema, 'rule', ['stats', 'lastRun', 'lastError']),
    example: {
      rule: {
        name: 'Urgent',
        triggerEvent: 1,
        actionValue: [{ actionType: action.setField, field: 'priority', value: 1 }],
      },
      since: '2026-03-01T00:00:00Z',
    },
  },
  reply: { status: 200, schema: resultSchema, description: 'What the rule would do.' },
  refusals: [422],
  async run(ctx, { body }) {
    if ((body.itemId === undefined) === (body.since === undefined))
      throw new Invalid([fault(['itemId'], 'required', 'either itemId or since is required')])
    const rule = await draftOf(ctx, body.rule)
    const { occurrences, events, complete, period } =
      body.itemId === undefined ? await between(ctx, rule, body) : await onItem(ctx, rule, body.itemId)
    const entries = await replay(ctx, rule, occurrences)
    return { body: { events, complete, ...summary(ctx, rule, entries, period) } }
  },
})

/** The rule as it would be stored, owned by the caller. */
export async function draftOf(ctx: Context, given: Partial<RuleValues>): Promise<Rule> {
  const { faults, masked } = readEndpoints(ctx, given.actionEndpoint ?? [], [])
  if (faults.length > 0)
    throw new Invalid(faults.map(each => ({ ...each, Field: `rule.${each.Field}`, Pointer: `/rule${each.Pointer}` })))
  const { tenantId, userId, scopes } = ctx.caller
  const values = rules.completed({
    ...normalized(given),
    actionEndpoint: masked,
    ownerUser: given.ownerUser || userId,
    scopes: [...scopes],
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

/** The occurrences on which the rule is tried, and how many events trigger it. */
interface Tried {
  occurrences: ReplayedOccurrence[]
  events: number
  complete: boolean
  /** The time that was looked at; undefined for one item. */
  period?: { since: Date; until: Date }
}

function triggeredBy(rule: Rule): (event: LoggedEvent) => boolean {
  const index = indexed([rule])
  return event => index.caring(event, rule.mode === mode.beforeCommit ? 'beforeCommit' : 'afterCommit').length > 0
}

async function onItem(ctx: Context, rule: Rule, itemId: string): Promise<Tried> {
  const item = isId(itemId) ? await items.find(ctx, itemId) : undefined
  if (!item) throw unknownReferences([{ entity: 'Item', id: itemId, path: ['itemId'] }])
  const event = (await eventsOfItem(ctx, item.id)).find(triggeredBy(rule))
  const occurrence = event ? occurrenceOf(event, item.id) : requestedOccurrence(ctx, 'rule.run', item.id)
  return { occurrences: [{ occurrence }], events: 1, complete: true }
}

async function between(ctx: Context, rule: Rule, { since = '', until }: DryRunInput): Promise<Tried> {
  if (rule.trigger !== trigger.event && rule.trigger !== trigger.clock)
    throw new Invalid([
      fault(
        ['since'],
        'not-by-events',
        'a rule that is triggered by time is tried on history by a job; others need an itemId',
      ),
    ])
  const [begin, end] = [new Date(since), until ? new Date(until) : ctx.now]
  const { events, complete, reached } = await eventsBetween(ctx, begin, end, {
    matches: triggeredBy(rule),
    maxRead: dryRunLimits.read,
    max: dryRunLimits.replayed,
  })
  const about = await itemsOf(ctx, events)
  const occurrences: Occurrence[] = []
  for (const event of events) {
    const occurrence = occurrenceOf(event, about.get(event.id) ?? null)
    occurrences.push({ ...occurrence, more: await mailOf(ctx, occurrence) })
  }
  const { seen, matched } = await matchAll(ctx, rule, occurrences)
  const period = { since: begin, until: reached < ctx.now ? reached : ctx.now }
  return { occurrences: matched, events: seen, complete, period }
}

function summary({ caller }: Context, rule: Rule, entries: readonly DryRunEntry[], period: Tried['period']) {
  const messages = addedMessages(...entries.map(each => each.messages))
  const tally = (some: readonly LogEntry[]) => ({
    matched: some.length,
    acted: some.filter(each => each.outcome === outcome.acted).length,
    failed: some.filter(each => each.outcome === outcome.failed || each.outcome === outcome.tripped).length,
  })
  const days = Map.groupBy(entries, each => each.occurrence.at.toISOString().slice(0, 10))
  return {
    ...tally(entries),
    days: [...days].map(([date, some]) => ({ date, ...tally(some) })),
    messages: estimateBody(totalOf(messages), messages, period),
    would: entries.slice(0, dryRunLimits.listed).map(each => entryBody(caller, rule, each)),
  }
}

/** What the rule would have done to an occurrence, as it is sent. */
export function entryBody(caller: Caller, rule: Rule, entry: DryRunEntry) {
  const { occurrence, outcome, conditions, actions = [], error = '', next } = entry
  const withoutDelivery = (some: readonly ActionResult[]) => some.map(({ deliveryId, ...result }) => result)
  const isShown = (some: Rule) => errorShownTo(caller, some, 'shown') !== ''
  return {
    at: occurrence.at.toISOString(),
    event: occurrence.kind,
    itemId: occurrence.itemId,
    outcome,
    conditions,
    error: isShown(rule) ? error : '',
    actions: withoutDelivery(actions),
    // Other rules act for users who may see more than the caller.
    next: next.map(({ rule: following, actions: theirs, error: why, ...more }) => ({
      ...{ ruleId: following.id, name: following.name, ...more },
      actions: isShown(following) ? withoutDelivery(theirs) : [],
      error: isShown(following) ? why : '',
    })),
  }
}

export const routes: Routes = { 'POST /rule/dry-run': dryRun }
