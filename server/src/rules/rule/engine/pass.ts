import { enqueue } from '../../../engine/dispatch/dispatch.ts'
import type { Context } from '../../../kernel/context.ts'
import { isConnectionFault, sqlState } from '../../../kernel/postgres/sql-state.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { changedSomething, perform } from '../actions/perform.ts'
import { type LogEntry, outcome, writeLog } from '../log/log.ts'
import type { Rule } from '../rule-shape.ts'
import { waitOf } from '../triggers/interval.ts'
import { type ActingRule, matchRules, trace } from './evaluate.ts'
import { causeFor, LoopLimitReached, reasonToSkip, reportFailure } from './loop-limits.ts'
import type { Occurrence } from './occurrence.ts'
import { asRule, principalOf, withCause } from './principal.ts'

interface PassOptions {
  /** The debounce time of the rule is over, or does not apply. */
  waited?: boolean
  /** The caller rolls everything back, so nothing is logged and nobody is notified. */
  dryRun?: boolean
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
    else
      entries.push({
        rule,
        occurrence,
        outcome: outcome.skipped,
        conditions: [],
        error: 'the user as whom the rule acts can no longer sign in',
      })
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
  if (!options.dryRun) await writeLog(ctx, entries)
  return entries
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
  const { rule, principal } = acting
  if (rule.debounce !== '' && !waited && !dryRun && waitOf(rule.debounce) > 0) {
    await debounce(ctx, rule, occurrence)
    return undefined
  }
  const began = performance.now()
  const own = asRule(ctx, principal)
  const entry = { rule, occurrence, conditions: await trace(ctx, acting, occurrence) }
  const ms = () => Math.round((performance.now() - began) * 100) / 100
  await ctx.sql`savepoint rule`
  try {
    const why = await reasonToSkip(ctx, rule, occurrence)
    if (why !== undefined) {
      await ctx.sql`rollback to savepoint rule`
      // A rule that is skipped because it caused the event itself is not logged.
      return occurrence.cause?.ruleId === rule.id
        ? undefined
        : { ...entry, outcome: outcome.skipped, error: why, ms: ms() }
    }
    const actions = await withCause(ctx, causeFor(rule, occurrence), () => perform(own, acting, occurrence))
    await ctx.sql`release savepoint rule`
    const did = changedSomething(actions) ? outcome.acted : outcome.unchanged
    return { ...entry, outcome: did, actions, changeSetId: own.changeSet, ms: ms() }
  } catch (error) {
    if (mustRetryTransaction(error)) throw error
    await ctx.sql`rollback to savepoint rule`
    const what = error instanceof LoopLimitReached ? outcome.tripped : outcome.failed
    const message = describeError(error)
    if (!dryRun) await reportFailure(ctx, rule, occurrence, what, message)
    return { ...entry, outcome: what, error: message, ms: ms() }
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
