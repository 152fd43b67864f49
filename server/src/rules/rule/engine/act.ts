import type { Context } from '../../../kernel/context.ts'
import { isConnectionFault, sqlState } from '../../../kernel/postgres/sql-state.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { changedSomething, perform, prepare } from '../actions/perform.ts'
import { type LogEntry, outcome } from '../log/log.ts'
import type { Rule } from '../rule-shape.ts'
import type { ActingRule, TracedCondition } from './evaluate.ts'
import { LoopLimitReached, reasonToSkip } from './loop-limits.ts'
import type { Occurrence } from './occurrence.ts'
import { asRule } from './principal.ts'

/** The entry of a rule that matched, and which properties of the item it changed; undefined if anything may have changed. */
export interface ActEntry extends LogEntry {
  changed?: ReadonlySet<string>
}

/**
 * Performs the actions of a matching rule, unless something holds it back. If the result has no change set, the caller rolls back
 * what was done; else the cause of the rule is still set.
 */
export async function act(
  ctx: Context,
  acting: ActingRule,
  occurrence: Occurrence,
  traced: readonly TracedCondition[] | Promise<readonly TracedCondition[]>,
  shared = false,
): Promise<ActEntry> {
  const { rule, principal } = acting
  const own = asRule(ctx, principal)
  const skipped = reasonToSkip(ctx, rule, occurrence)
  skipped.catch(() => {}) // awaited below
  const work = prepare(own, acting, occurrence)
  const entry = { rule, occurrence, conditions: await traced }
  try {
    const why = await skipped
    if (why !== undefined) return { ...entry, outcome: outcome.skipped, error: why }
    const { actions, changed } = await perform(own, acting, occurrence, work)
    const did = changedSomething(actions) ? outcome.acted : outcome.unchanged
    return { ...entry, outcome: did, actions, changeSetId: own.changeSet, ...(changed ? { changed } : {}) }
  } catch (error) {
    if (mustRetryTransaction(error) || (shared && sqlState(error) === lockTimeout)) throw error
    const what = error instanceof LoopLimitReached ? outcome.tripped : outcome.failed
    return { ...entry, outcome: what, error: describeError(error) }
  }
}

/** The state of a statement that did not get a lock in time. */
const lockTimeout = '55P03'

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

/** The entry of a rule that nobody can act as. */
export function withoutPrincipal(rule: Rule, occurrence: Occurrence): LogEntry {
  const error = 'the user as whom the rule acts can no longer sign in'
  return { rule, occurrence, outcome: outcome.skipped, conditions: [], error }
}
