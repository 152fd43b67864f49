import { enqueue } from '../../../engine/dispatch/dispatch.ts'
import type { Context } from '../../../kernel/context.ts'
import { isConnectionFault, sqlState } from '../../../kernel/postgres/sql-state.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { changedSomething, perform } from '../actions/perform.ts'
import { type LogEntry, outcome, writeLog } from '../log/log.ts'
import type { Rule } from '../rule-shape.ts'
import { waitOf } from '../triggers/interval.ts'
import { type ActingRule, matchRules, type TracedCondition, trace } from './evaluate.ts'
import { LoopLimitReached, reasonToSkip, reportFailure } from './loop-limits.ts'
import type { Occurrence } from './occurrence.ts'
import { asRule, principalOf, setCause } from './principal.ts'

interface PassOptions {
  /** The debounce time of the rule is over, or does not apply. */
  waited?: boolean
  /** The caller rolls everything back, so nothing is logged and nobody is notified. */
  dryRun?: boolean
  /** The caller counts the outcomes after the commit. */
  uncounted?: boolean
}

/**
 * Runs the rules of an occurrence in their order; each sees the changes of those before it. Their changes are events, which
 * start passes of their own.
 */
export async function pass(
  ctx: Context,
  rules: readonly Rule[],
  occurrence: Occurrence,
  options: PassOptions = {},
): Promise<LogEntry[]> {
  const entries: LogEntry[] = []
  let rest: ActingRule[] = []
  for (const rule of rules) {
    const principal = await principalOf(ctx, rule, occurrence.actorId)
    if (principal) rest.push({ rule, principal })
    else entries.push(withoutPrincipal(rule, occurrence))
  }
  let matching = await matchesOf(ctx, rest, occurrence)
  while (rest.length > 0) {
    const [first, ...more] = rest
    rest = more
    if (!first || !matching.has(first.rule)) continue
    const entry = await actOn(ctx, first, occurrence, options)
    if (entry) entries.push(entry)
    if (entry?.outcome === outcome.tripped) break
    if (first.rule.stopOnMatch && entry && entry.outcome !== outcome.skipped) break
    if (entry?.outcome === outcome.acted) matching = await matchesOf(ctx, rest, occurrence)
  }
  if (!options.dryRun) await writeLog(ctx, entries, options.uncounted ? 'uncounted' : 'counted')
  return entries
}

/** The entry of a rule that nobody can act as. */
export function withoutPrincipal(rule: Rule, occurrence: Occurrence): LogEntry {
  const error = 'the user as whom the rule acts can no longer sign in'
  return { rule, occurrence, outcome: outcome.skipped, conditions: [], error }
}

async function matchesOf(ctx: Context, actingRules: readonly ActingRule[], occurrence: Occurrence): Promise<Set<Rule>> {
  const [holds = []] = await matchRules(ctx, actingRules, [occurrence])
  return new Set(actingRules.filter((_, i) => holds[i]).map(each => each.rule))
}

/** Performs all actions of a matching rule, or none of them. */
async function actOn(
  ctx: Context,
  acting: ActingRule,
  occurrence: Occurrence,
  { waited, dryRun }: PassOptions,
): Promise<LogEntry | undefined> {
  const { rule } = acting
  if (rule.debounce !== '' && !waited && !dryRun && waitOf(rule.debounce) > 0) {
    await debounce(ctx, rule, occurrence)
    return undefined
  }
  const began = performance.now()
  // Statements that do not need each other's results are sent together: a run costs round trips more than anything else.
  const sent = [trace(ctx, acting, occurrence), ctx.sql`savepoint rule`] as const
  for (const each of sent) each.catch(() => {}) // the statements behind it fail as well
  const entry = await act(ctx, acting, occurrence, sent[0])
  // The savepoint is not released: that would be one more round trip, and the next one of this name hides it.
  if (entry.changeSetId === undefined) await ctx.sql`rollback to savepoint rule`
  else setCause(ctx, undefined).catch(() => {}) // sent with the next statement, which fails as well
  // A rule that is skipped because it caused the event itself is not logged.
  if (entry.outcome === outcome.skipped && occurrence.cause?.ruleId === rule.id) return undefined
  if ((entry.outcome === outcome.failed || entry.outcome === outcome.tripped) && !dryRun)
    await reportFailure(ctx, rule, occurrence, entry.outcome, entry.error ?? '')
  return { ...entry, ms: Math.round((performance.now() - began) * 100) / 100 }
}

/**
 * Performs the actions of a matching rule, unless something holds it back. If the result has no change set, the caller rolls back
 * what was done; else the cause of the rule is still set.
 */
export async function act(
  ctx: Context,
  acting: ActingRule,
  occurrence: Occurrence,
  traced: TracedCondition[] | Promise<TracedCondition[]>,
): Promise<LogEntry> {
  const { rule, principal } = acting
  const own = asRule(ctx, principal)
  const skipped = reasonToSkip(ctx, rule, occurrence)
  skipped.catch(() => {}) // awaited below
  const entry = { rule, occurrence, conditions: await traced }
  try {
    const why = await skipped
    if (why !== undefined) return { ...entry, outcome: outcome.skipped, error: why }
    const actions = await perform(own, acting, occurrence)
    const did = changedSomething(actions) ? outcome.acted : outcome.unchanged
    return { ...entry, outcome: did, actions, changeSetId: own.changeSet }
  } catch (error) {
    if (mustRetryTransaction(error)) throw error
    const what = error instanceof LoopLimitReached ? outcome.tripped : outcome.failed
    return { ...entry, outcome: what, error: describeError(error) }
  }
}

/** Whether the connection is lost, or the whole transaction must be retried. */
function mustRetryTransaction(error: unknown): boolean {
  return (
    !(error instanceof Refusal) && (isConnectionFault(error) || ['40001', '40P01', '25P02'].includes(sqlState(error)))
  )
}

function describeError(error: unknown): string {
  if (error instanceof Refusal) {
    const faults = error.faults.map(each => `${each.Field} ${each.Message}`).join('; ')
    return faults ? `${error.message} (${faults})` : error.message
  }
  if (error instanceof LoopLimitReached) return error.message
  return sqlState(error) ? 'the database refused the change' : 'an internal error occurred'
}

export const laterTask = 'rule-later'

/** Replaces the waiting job of the same rule and record, so that only the last event of a burst runs. */
async function debounce(ctx: Context, rule: Rule, { eventId, itemId, recordId, root }: Occurrence): Promise<void> {
  const runAt = new Date(Date.now() + waitOf(rule.debounce))
  const payload = { ruleId: rule.id, eventId, recordId, root }
  await enqueue(ctx, { task: laterTask, payload, runAt, key: `${rule.id} ${itemId ?? recordId}` })
}
