import { enqueue } from '../../../engine/dispatch/dispatch.ts'
import type { Context } from '../../../kernel/context.ts'
import { type LogEntry, outcome, writeLog } from '../log/log.ts'
import type { Rule } from '../rule-shape.ts'
import { waitOf } from '../triggers/interval.ts'
import { type ActEntry, act, withoutPrincipal } from './act.ts'
import { actingRulesOf } from './acting-rules.ts'
import { type ActingRule, comparesActor, matchRules, type TracedCondition, trace, traceAll } from './evaluate.ts'
import { keepsVerdict } from './kept-verdict.ts'
import { reportFailure } from './loop-limits.ts'
import type { Occurrence } from './occurrence.ts'
import { setCause } from './principal.ts'

interface PassOptions {
  /** The debounce time of the rule is over, or does not apply. */
  waited?: boolean
  /** The caller rolls everything back, so nothing is logged and nobody is notified. */
  dryRun?: boolean
  /** The caller counts the outcomes after the commit. */
  uncounted?: boolean
}

interface SharedOptions extends PassOptions {
  /** Other passes are in the same transaction. */
  shared: boolean
}

/** An occurrence, and the rules that it may trigger in their order. */
interface Pass {
  readonly rules: readonly Rule[]
  readonly occurrence: Occurrence
}

/** A pass whose conditions were evaluated. */
interface EvaluatedPass extends Pass {
  readonly acting: readonly ActingRule[]
  readonly matching: ReadonlySet<Rule>
  /** The conditions of rules, as they were before any of them acted. */
  readonly traces: ReadonlyMap<Rule, readonly TracedCondition[]>
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
  const [entries = []] = await passAll(ctx, [{ rules, occurrence }], options)
  return entries
}

/**
 * Runs several passes in one transaction and returns the entries of each. Their conditions are evaluated together, as those
 * of concurrent transactions would be. A rule that fails takes none of the others with it.
 */
export async function passAll(ctx: Context, passes: readonly Pass[], options: PassOptions = {}): Promise<LogEntry[][]> {
  const shared = passes.length > 1
  // Sent with the next statement, which fails as well.
  if (shared) ctx.sql`select set_config('lock_timeout', ${sharedLockTimeout}, true)`.catch(() => {})
  const all: LogEntry[][] = []
  let unwritten: LogEntry[] = []
  const writeEntries = async () => {
    if (!options.dryRun) await writeLog(ctx, unwritten, options.uncounted ? 'uncounted' : 'counted')
    unwritten = []
  }
  for (const each of await evaluate(ctx, passes)) {
    const entries = await runRules(ctx, each, { ...options, shared })
    all.push(entries)
    unwritten.push(...entries)
    if (entries.some(isLimited)) await writeEntries()
  }
  await writeEntries()
  return all
}

/**
 * How long a pass waits for a lock while others have theirs, in PostgreSQL's notation. Then each is run by itself, with the
 * usual patience.
 */
const sharedLockTimeout = '250ms'

/** Whether limits count the entry, so that the next pass must find it in the log. */
function isLimited({ rule, outcome: what }: LogEntry & { rule: Partial<Pick<Rule, 'maxPerHour'>> }): boolean {
  return what === outcome.failed || what === outcome.tripped || (rule.maxPerHour ?? 0) > 0
}

/** Evaluates the conditions of all passes, and those of the first matching rule of each once more for the log. */
async function evaluate(ctx: Context, passes: readonly Pass[]): Promise<EvaluatedPass[]> {
  const candidates = passes.map(({ rules, occurrence: { actorId } }) => ({ rules, actorId }))
  const { actingRules, wanted } = await actingRulesOf(ctx, candidates)
  const occurrences = passes.map(each => each.occurrence)
  const holds = await matchRules(ctx, actingRules, occurrences, wanted)
  const matches = wanted.map((places, n) => places.filter(place => holds[n]?.[place]))
  const traces = new Map<Occurrence, Map<Rule, readonly TracedCondition[]>>()
  for (const [place, acting] of actingRules.entries()) {
    const first = occurrences.filter((_, n) => matches[n]?.[0] === place)
    if (first.length < 2 || comparesActor(acting)) continue
    for (const [occurrence, conditions] of await traceAll(ctx, acting, first))
      traces.set(occurrence, new Map([[acting.rule, conditions]]))
  }
  return passes.map((each, n) => ({
    ...each,
    acting: (wanted[n] ?? []).flatMap(place => actingRules[place] ?? []),
    matching: new Set((matches[n] ?? []).flatMap(place => actingRules[place]?.rule ?? [])),
    traces: traces.get(each.occurrence) ?? new Map(),
  }))
}

async function runRules(
  ctx: Context,
  { rules, occurrence, acting, matching: first, traces }: EvaluatedPass,
  options: SharedOptions,
): Promise<LogEntry[]> {
  const known = new Set(acting.map(each => each.rule))
  const entries = rules.filter(rule => !known.has(rule)).map(rule => withoutPrincipal(rule, occurrence))
  let [rest, matching] = [acting, first]
  while (rest.length > 0) {
    const [next, ...more] = rest
    rest = more
    if (!next || !matching.has(next.rule)) continue
    const entry = await actOn(ctx, next, occurrence, { ...options, traced: traces.get(next.rule) })
    if (entry) entries.push(entry)
    if (entry?.outcome === outcome.tripped) break
    if (next.rule.stopOnMatch && entry && entry.outcome !== outcome.skipped) break
    if (entry?.outcome === outcome.acted) matching = await matchesAfter(ctx, rest, { matching, occurrence, entry })
  }
  return entries
}

/** Evaluates the rest of the rules again after one of them acted, except those that read nothing that it changed. */
async function matchesAfter(
  ctx: Context,
  rest: readonly ActingRule[],
  { matching, occurrence, entry }: { matching: ReadonlySet<Rule>; occurrence: Occurrence; entry: ActEntry },
): Promise<Set<Rule>> {
  const again = rest.filter(({ rule }) => !keepsVerdict(rule, entry.changed))
  const [holds = []] = await matchRules(ctx, again, [occurrence])
  const kept = rest.filter(each => !again.includes(each) && matching.has(each.rule))
  return new Set([...kept, ...again.filter((_, i) => holds[i])].map(each => each.rule))
}

/** Performs all actions of a matching rule, or none of them. */
async function actOn(
  ctx: Context,
  acting: ActingRule,
  occurrence: Occurrence,
  { waited, dryRun, shared, traced }: SharedOptions & { traced: readonly TracedCondition[] | undefined },
): Promise<ActEntry | undefined> {
  const { rule } = acting
  if (rule.debounce !== '' && !waited && !dryRun && waitOf(rule.debounce) > 0) {
    await debounce(ctx, rule, occurrence)
    return undefined
  }
  const began = performance.now()
  // Statements that do not need each other's results are sent together: a run costs round trips more than anything else.
  const sent = [traced ?? trace(ctx, acting, occurrence), ctx.sql`savepoint rule`] as const
  for (const each of sent) if (each instanceof Promise) each.catch(() => {}) // the statements behind it fail as well
  const entry = await act(ctx, acting, occurrence, sent[0], shared)
  // The savepoint is not released: that would be one more round trip, and the next one of this name hides it.
  if (entry.changeSetId === undefined) await ctx.sql`rollback to savepoint rule`
  else setCause(ctx, undefined).catch(() => {}) // sent with the next statement, which fails as well
  // A rule that is skipped because it caused the event itself is not logged.
  if (entry.outcome === outcome.skipped && occurrence.cause?.ruleId === rule.id) return undefined
  if ((entry.outcome === outcome.failed || entry.outcome === outcome.tripped) && !dryRun)
    await reportFailure(ctx, rule, occurrence, entry.outcome, entry.error ?? '')
  return { ...entry, ms: Math.round((performance.now() - began) * 100) / 100 }
}

export const laterTask = 'rule-later'

/** Replaces the waiting job of the same rule and record, so that only the last event of a burst runs. */
async function debounce(ctx: Context, rule: Rule, { eventId, itemId, recordId, root }: Occurrence): Promise<void> {
  const runAt = new Date(Date.now() + waitOf(rule.debounce))
  const payload = { ruleId: rule.id, eventId, recordId, root }
  await enqueue(ctx, { task: laterTask, payload, runAt, key: `${rule.id} ${itemId ?? recordId}` })
}
