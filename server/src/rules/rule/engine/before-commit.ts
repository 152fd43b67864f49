import { type Action, actionKind } from '../../../containers/action/action.ts'
import { type Item, items } from '../../../items/item/item.ts'
import type { Intervention, ItemChange, ValidationResult } from '../../../items/validation/validation.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Changes, isImported } from '../../../kernel/events.ts'
import { Refusal, RuleBroken } from '../../../kernel/refusal.ts'
import { PatchBuilder } from '../actions/item-patch.ts'
import { patchHandlers } from '../actions/patch-handlers.ts'
import { actionContext, actionsOf, changedSomething, notPerformed } from '../actions/perform.ts'
import { countOutcomes, type LogEntry, outcome, writeLog } from '../log/log.ts'
import type { Rule } from '../rule-shape.ts'
import { type ActingRule, matchRules, trace } from './evaluate.ts'
import { liveRules } from './live-rules.ts'
import { causeFor } from './loop-limits.ts'
import type { Occurrence } from './occurrence.ts'
import { principalOf, withCause } from './principal.ts'

// Rules with the mode `beforeCommit` run inside the transaction and the change set of a change, whatever caused it. They
// set fields or refuse the change. A tenant without such rules pays one lookup in the cache.

/** The contexts in which these rules write. Their own changes do not trigger them again. */
const ownContexts = new WeakSet<Context>()

export const rulesBeforeCommit: Intervention = {
  async appliesToNew(ctx, containerId) {
    const { beforeCommit } = await liveRules(ctx)
    return beforeCommit.some(({ container }) => container.length === 0 || container.includes(containerId))
  },
  async intervene(ctx, changes) {
    const live = await liveRules(ctx)
    if (live.beforeCommit.length === 0 || ownContexts.has(ctx)) return { changes: [...changes], results: [] }
    const candidates = changes.map(change => {
      const occurrence = occurrenceOf(ctx, change)
      const rules = isImported(occurrence) ? [] : live.caring(occurrence, 'beforeCommit')
      return { change, occurrence, rules }
    })
    const results: ValidationResult[] = []
    const entries: LogEntry[] = []
    const matching = await matchesOf(
      ctx,
      candidates.filter(each => each.rules.length > 0),
    )
    for (const [occurrence, actingRules] of matching) {
      const change = candidates.find(each => each.occurrence === occurrence)?.change
      if (change) await runOnChange(ctx, { change, occurrence, actingRules, results, entries })
    }
    await writeEntries(ctx, entries)
    return { changes: candidates.map(each => each.change), results }
  },
}

function occurrenceOf(ctx: Context, { before, after, changes, actorKind }: ItemChange): Occurrence {
  const { userId, kind } = ctx.caller
  return {
    ...{
      eventId: null,
      kind: before ? 'item.updated' : 'item.created',
      entity: 'Item',
      recordId: after.id,
      itemId: after.id,
    },
    ...{
      actorId: userId,
      actorKind: actorKind ?? kind,
      at: ctx.now,
      changes: changes ?? initialChanges(after),
      cause: null,
      root: ctx.changeSet,
      more: {},
    },
  }
}

/** The changes of a new item are all its properties that have a value. */
function initialChanges(item: Item): Changes {
  const properties = [...items.columns.map(each => each.property), 'Tags', 'Field']
  const entries = properties.map((property): [string, unknown] => [property, Reflect.get(item, property)])
  const hasValue = (value: unknown) =>
    !(value === null || value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0))
  return Object.fromEntries(
    entries.filter(([, value]) => hasValue(value)).map(([property, value]) => [property, { to: value }]),
  )
}

interface Candidate {
  occurrence: Occurrence
  rules: readonly Rule[]
}

/** Returns the occurrences for which any rule matches, each with all its rules. One statement evaluates all of them. */
async function matchesOf(ctx: Context, candidates: readonly Candidate[]): Promise<Map<Occurrence, ActingRule[]>> {
  const actingRules: ActingRule[] = []
  const places = new Map<Rule, number>()
  for (const { rules } of candidates)
    for (const rule of rules) {
      if (places.has(rule)) continue
      const principal = await principalOf(ctx, rule, ctx.caller.userId)
      places.set(rule, principal ? actingRules.push({ rule, principal }) - 1 : -1)
    }
  const wanted = candidates.map(({ rules }) => rules.map(rule => places.get(rule) ?? -1).filter(place => place >= 0))
  const holds = await matchRules(
    ctx,
    actingRules,
    candidates.map(each => each.occurrence),
    wanted,
  )
  // All rules are returned, because a later rule may match only after an earlier one has set a field.
  return new Map(
    candidates.flatMap(({ occurrence }, n) =>
      holds[n]?.some(Boolean)
        ? [[occurrence, (wanted[n] ?? []).flatMap(place => actingRules[place] ?? [])] as const]
        : [],
    ),
  )
}

interface ChangeRun {
  change: ItemChange
  occurrence: Occurrence
  actingRules: readonly ActingRule[]
  results: ValidationResult[]
  entries: LogEntry[]
}

/** Runs the rules on one change in their order, until one refuses the change or stops the others. */
async function runOnChange(
  ctx: Context,
  { change, occurrence, actingRules, results, entries }: ChangeRun,
): Promise<void> {
  const { id } = change.after
  for (const acting of actingRules) {
    const { rule } = acting
    const [[holds] = []] = await matchRules(ctx, [acting], [occurrence])
    if (!holds) continue
    const began = performance.now()
    const entry = { rule, occurrence, conditions: await trace(ctx, acting, occurrence) }
    const ms = () => Math.round((performance.now() - began) * 100) / 100
    const veto = actionsOf(rule).find(each => actionKind(each.actionType)?.runs === 'veto')
    if (veto) {
      const message =
        String((await actionContext(ctx, acting, occurrence).render(veto.value)) ?? '') ||
        `the rule ${rule.name} refuses this change`
      results.push({ id, refusal: new RuleBroken('vetoed', message, [], { rule: { id: rule.id, name: rule.name } }) })
      const refused: LogEntry = {
        ...entry,
        outcome: outcome.acted,
        actions: [{ id: veto.id, actionType: veto.actionType, after: message }],
        ms: ms(),
      }
      // The refusal rolls back this transaction, so its log entry is written in another one.
      await ctx.apart(separate => writeLog(separate, [refused], 'uncounted'))
      return
    }
    await ctx.sql`savepoint rule`
    try {
      const ruleContext = ctx.derive({ caller: acting.principal })
      ownContexts.add(ruleContext)
      const patch = new PatchBuilder(actionContext(ruleContext, acting, occurrence), change.after)
      for (const action of actionsOf(rule)) await addToPatch(patch, action)
      const actions = await withCause(ctx, causeFor(rule, occurrence), () => patch.write())
      await ctx.sql`release savepoint rule`
      change.after = (await items.find(ctx, id)) ?? change.after
      entries.push({
        ...entry,
        outcome: changedSomething(actions) ? outcome.acted : outcome.unchanged,
        actions,
        changeSetId: ctx.changeSet,
        ms: ms(),
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // A failing rule must not block the change of a user, so it becomes a warning.
      await ctx.sql`rollback to savepoint rule`
      results.push({ id, warning: `the rule ${rule.name} could not act: ${error.message}` })
      entries.push({ ...entry, outcome: outcome.failed, error: error.message, ms: ms() })
    }
    if (rule.stopOnMatch) return
  }
}

/** Adds an action to the patch, or a note if the action cannot run before the commit. */
async function addToPatch(patch: PatchBuilder, action: Action): Promise<void> {
  const kind = actionKind(action.actionType)
  if (kind?.runs === 'patch' && kind.beforeCommit)
    await patchHandlers[kind.name](patch, action, await patch.work.render(action.value))
  else patch.leaveOut(action, kind ? 'this action does not run before the commit' : notPerformed)
}

/** The log is written with the change. The counters are updated after the commit, so that concurrent changes do not wait for their row locks. */
async function writeEntries(ctx: Context, entries: readonly LogEntry[]): Promise<void> {
  if (entries.length === 0) return
  await writeLog(ctx, entries, 'uncounted')
  ctx.afterCommit(() => ctx.apart(separate => countOutcomes(separate, entries)).catch(() => {}))
}
