import type { EventJob, Listener, LoggedEvent, Task } from '../../../engine/dispatch/dispatch.ts'
import { openTenantBatches } from '../../../engine/tenant-batches.ts'
import type { Context } from '../../../kernel/context.ts'
import { isImported } from '../../../kernel/events.ts'
import type { Id } from '../../../kernel/id.ts'
import { countTogether } from '../log/count-together.ts'
import { countOutcomes, type LogEntry, outcome, writeLog } from '../log/log.ts'
import type { Rule } from '../rule-shape.ts'
import { actingRulesOf } from './acting-rules.ts'
import { matchRules, trace } from './evaluate.ts'
import { liveRules } from './live-rules.ts'
import { type Cause, causesOf, itemsOf, type LogPlace, occurrenceOf, occurrencesAt } from './occurrence.ts'
import { laterTask, pass, passAll } from './pass.ts'
import { principalOf } from './principal.ts'

const passTask = 'rule'
const missTask = 'rule-miss'

/** The number of events that one statement evaluates. */
const batchSize = 200

interface Candidate {
  event: LoggedEvent
  rules: readonly Rule[]
}

/**
 * Runs after the commit and enqueues a pass for each event that any rule matches. The pass evaluates all rules of the event
 * again, in their order, because a change by one rule may make the next one match.
 */
export const ruleListener: Listener = {
  name: 'rule',
  listens: async ctx => (await liveRules(ctx)).listens,
  async jobs(ctx, events) {
    const live = await liveRules(ctx)
    const candidates = events
      .filter(event => !isImported(event))
      .map(event => ({ event, rules: live.caring(event, 'afterCommit') }))
      .filter(each => each.rules.length > 0)
    const jobs: EventJob[] = []
    for (let start = 0; start < candidates.length; start += batchSize)
      jobs.push(...(await jobsOf(ctx, candidates.slice(start, start + batchSize))))
    return jobs
  },
}

async function jobsOf(ctx: Context, candidates: readonly Candidate[]): Promise<EventJob[]> {
  const items = await itemsOf(
    ctx,
    candidates.map(each => each.event),
  )
  const occurrences = candidates.map(({ event }) => occurrenceOf(event, items.get(event.id) ?? null))
  const { actingRules, wanted } = await actingRulesOf(
    ctx,
    candidates.map(({ event: { actorId }, rules }) => ({ actorId, rules })),
  )
  // Conditions on a mail cannot be evaluated here, because the mail is not read yet: the pass evaluates them.
  const isUnsure = (event: LoggedEvent, n: number) => event.entity === 'MailMessage' && (wanted[n]?.length ?? 0) > 0
  const holds = await matchRules(ctx, actingRules, occurrences, wanted)
  const causes = await causesOf(
    ctx,
    candidates.map(each => each.event).filter(event => event.actorKind === 'rule'),
  )
  const jobs: EventJob[] = []
  const missed: Miss[] = []
  for (const [n, { event }] of candidates.entries()) {
    const { xact, id } = event
    const itemId = items.get(id)
    const matching = actingRules.filter((_, place) => holds[n]?.[place]).map(each => each.rule)
    const cause = causes.get(id)
    if (matching.length > 0 && cause && matching.every(rule => isOwnEcho(rule, cause, itemId ?? event.recordId)))
      continue
    if (isUnsure(event, n) || matching.length > 0)
      jobs.push({ event, task: passTask, lane: `rule ${itemId ?? event.recordId}`, payload: { xact, id } })
    else
      for (const place of wanted[n] ?? []) {
        const rule = actingRules[place]?.rule
        if (rule && isSampled(rule.id)) missed.push({ ruleId: rule.id, xact, id })
      }
  }
  const [last] = candidates.slice(-1)
  if (missed.length > 0 && last)
    jobs.push({ event: last.event, task: missTask, lane: `rule-miss ${last.event.id}`, payload: { missed } })
  return jobs
}

/**
 * Whether a rule matches an event that it caused itself, on the record on which it acted then. It acts once on a record in a
 * chain, and is not logged when it meets its own event, so a pass would do nothing.
 */
function isOwnEcho(rule: Rule, { ruleId, record, depth }: Cause, recordId: Id): boolean {
  return ruleId === rule.id && depth === 1 && record === recordId && rule.debounce === ''
}

/** Misses are logged at a limited rate per rule (a token bucket): all of them on a quiet tenant, a sample on a busy one. */
const burst = 3
const refillMs = 30_000
const buckets = new Map<Id, { left: number; at: number }>()

function isSampled(ruleId: Id): boolean {
  const now = Date.now()
  if (buckets.size > 10_000) buckets.clear()
  const bucket = buckets.get(ruleId) ?? { left: burst, at: now }
  const left = Math.min(burst, bucket.left + (now - bucket.at) / refillMs)
  buckets.set(ruleId, { left: left < 1 ? left : left - 1, at: now })
  return left >= 1
}

/**
 * The number of passes in one transaction. What they change is locked until its commit, so users wait for all of them; with
 * more, little is saved.
 */
const maxTogether = 8

const passBatch = openTenantBatches<LogPlace, LogEntry[]>(maxTogether)

/** Passes of a tenant that are due at the same time share a transaction. Each belongs to another lane, so their order is free. */
export const ruleTask: Task = {
  name: passTask,
  retryDelays: [5_000, 60_000, 600_000],
  async run({ payload, tenantId, service, transaction, single }) {
    const place = { xact: String(payload.xact), id: String(payload.id) }
    const entries = await passBatch(tenantId, place, places => transaction(service, ctx => passesAt(ctx, places)))
    await countTogether(tenantId, entries, all => single(service, ctx => countOutcomes(ctx, all)))
  },
}

/** Runs the passes of these events and returns the entries of each. */
async function passesAt(ctx: Context, places: readonly LogPlace[]): Promise<LogEntry[][]> {
  const live = await liveRules(ctx)
  // In the order in which changes of several items lock them.
  const found = (await occurrencesAt(ctx, places)).sort((a, b) =>
    (a.occurrence.itemId ?? '') < (b.occurrence.itemId ?? '') ? -1 : 1,
  )
  const passes = found.map(({ event, occurrence }) => ({ rules: live.caring(event, 'afterCommit'), occurrence }))
  const entries = await passAll(ctx, passes, { uncounted: true })
  const byEvent = new Map(found.map(({ event }, n) => [event.id, entries[n] ?? []]))
  return places.map(({ id }) => byEvent.get(id) ?? [])
}

/** Runs a rule after its debounce time. */
export const ruleLaterTask: Task = {
  name: laterTask,
  retryDelays: [5_000, 60_000, 600_000],
  async run({ payload, service, transaction }) {
    await transaction(service, async ctx => {
      const rule = (await liveRules(ctx)).all.find(each => each.id === payload.ruleId)
      const [place] = await ctx.sql<{ xact: string; id: Id }>`select xact::text as xact, id from event
        where tenant_id = ${ctx.caller.tenantId} and record_id = ${payload.recordId} and id = ${payload.eventId}`
      const [found] = place ? await occurrencesAt(ctx, [place]) : []
      if (rule && found) await pass(ctx, [rule], found.occurrence, { waited: true })
    })
  },
}

/** A rule that did not match an event. */
interface Miss {
  ruleId: Id
  xact: string
  id: Id
}

function readMisses(value: unknown): Miss[] {
  if (!Array.isArray(value)) return []
  return value.map(({ ruleId, xact, id }) => ({ ruleId: String(ruleId), xact: String(xact), id: String(id) }))
}

/** Logs why rules did not match. */
export const ruleMissTask: Task = {
  name: missTask,
  retryDelays: [60_000],
  async run({ payload, service, transaction }) {
    const missed = readMisses(payload.missed)
    await transaction(service, async ctx => {
      const { all } = await liveRules(ctx)
      const entries: LogEntry[] = []
      for (const [, group] of Map.groupBy(missed, each => each.id)) {
        const [found] = await occurrencesAt(ctx, group.slice(0, 1))
        for (const { ruleId } of group) {
          const rule = all.find(each => each.id === ruleId)
          const principal = rule && (await principalOf(ctx, rule, found?.occurrence.actorId ?? ''))
          if (!found || !principal) continue
          const conditions = await trace(ctx, { rule, principal }, found.occurrence)
          entries.push({ rule, occurrence: found.occurrence, outcome: outcome.missed, conditions })
        }
      }
      await writeLog(ctx, entries)
    })
  },
}
