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

// Rules that have their say before a change is committed: inside its transaction and its change set, whichever way it
// comes. They set fields or refuse. A tenant without any pays one look at what is remembered.

/** The contexts in which such rules write; they are not asked about what they changed themselves. */
const ownContexts = new WeakSet<Context>()

export const rulesBeforeCommit: Intervention = {
  async appliesToNew(ctx, containerId) {
    const { beforeCommit } = await liveRules(ctx)
    return beforeCommit.some(({ container }) => container.length === 0 || container.includes(containerId))
  },
  async intervene(ctx, passages) {
    const live = await liveRules(ctx)
    if (live.beforeCommit.length === 0 || ownContexts.has(ctx)) return { changes: [...passages], results: [] }
    const asked = passages.map(passage => {
      const occurrence = occurrenceOf(ctx, passage)
      const rules = isImported(occurrence) ? [] : live.caring(occurrence, 'beforeCommit')
      return { passage, occurrence, rules }
    })
    const verdicts: ValidationResult[] = []
    const entries: LogEntry[] = []
    const matching = await matchesOf(
      ctx,
      asked.filter(each => each.rules.length > 0),
    )
    for (const [occurrence, actingRules] of matching) {
      const passage = asked.find(each => each.occurrence === occurrence)?.passage
      if (passage) await judgeChange(ctx, { passage, occurrence, actingRules, verdicts, entries })
    }
    await writeEntries(ctx, entries)
    return { changes: asked.map(each => each.passage), results: verdicts }
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

/** A new item tells all that it is. */
function initialChanges(item: Item): Changes {
  const said = [...items.columns.map(each => each.property), 'Tags', 'Field']
  const entries = said.map((property): [string, unknown] => [property, Reflect.get(item, property)])
  const isSaid = (value: unknown) =>
    !(value === null || value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0))
  return Object.fromEntries(
    entries.filter(([, value]) => isSaid(value)).map(([property, value]) => [property, { to: value }]),
  )
}

interface Asked {
  occurrence: Occurrence
  rules: readonly Rule[]
}

/** The rules that hold for each of the items at first sight: one statement for all of them. */
async function matchesOf(ctx: Context, asked: readonly Asked[]): Promise<Map<Occurrence, ActingRule[]>> {
  const actingRules: ActingRule[] = []
  const places = new Map<Rule, number>()
  for (const { rules } of asked)
    for (const rule of rules) {
      if (places.has(rule)) continue
      const principal = await principalOf(ctx, rule, ctx.caller.userId)
      places.set(rule, principal ? actingRules.push({ rule, principal }) - 1 : -1)
    }
  const wanted = asked.map(({ rules }) => rules.map(rule => places.get(rule) ?? -1).filter(place => place >= 0))
  const holds = await matchRules(
    ctx,
    actingRules,
    asked.map(each => each.occurrence),
    wanted,
  )
  // Those behind the first that holds are asked again when it is their turn: what it sets may be what they wait for.
  return new Map(
    asked.flatMap(({ occurrence }, n) =>
      holds[n]?.some(Boolean)
        ? [[occurrence, (wanted[n] ?? []).flatMap(place => actingRules[place] ?? [])] as const]
        : [],
    ),
  )
}

interface Turn {
  passage: ItemChange
  occurrence: Occurrence
  actingRules: readonly ActingRule[]
  verdicts: ValidationResult[]
  entries: LogEntry[]
}

async function judgeChange(ctx: Context, { passage, occurrence, actingRules, verdicts, entries }: Turn): Promise<void> {
  const { id } = passage.after
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
        `${rule.name} refuses this change`
      verdicts.push({ id, refusal: new RuleBroken('vetoed', message, [], { rule: { id: rule.id, name: rule.name } }) })
      const refused: LogEntry = {
        ...entry,
        outcome: outcome.acted,
        actions: [{ id: veto.id, actionType: veto.actionType, after: message }],
        ms: ms(),
      }
      // What is refused is taken back, and with it all that was written; that it was refused is to be known.
      await ctx.apart(aside => writeLog(aside, [refused], 'uncounted'))
      return
    }
    await ctx.sql`savepoint rule`
    try {
      const mine = ctx.derive({ caller: acting.principal })
      ownContexts.add(mine)
      const patch = new PatchBuilder(actionContext(mine, acting, occurrence), passage.after)
      for (const action of actionsOf(rule)) await addToPatch(patch, action)
      const actions = await withCause(ctx, causeFor(rule, occurrence), () => patch.write())
      await ctx.sql`release savepoint rule`
      passage.after = ((await items.find(ctx, id)) as Item | undefined) ?? passage.after
      entries.push({
        ...entry,
        outcome: changedSomething(actions) ? outcome.acted : outcome.unchanged,
        actions,
        changeSetId: ctx.changeSet,
        ms: ms(),
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // A rule that cannot do what it says is no reason that nobody else can.
      await ctx.sql`rollback to savepoint rule`
      verdicts.push({ id, warning: `the rule ${rule.name} could not act: ${error.message}` })
      entries.push({ ...entry, outcome: outcome.failed, error: error.message, ms: ms() })
    }
    if (rule.stopOnMatch) return
  }
}

/** Adds what may be done before the commit; what may not is noted. */
async function addToPatch(patch: PatchBuilder, action: Action): Promise<void> {
  const kind = actionKind(action.actionType)
  if (kind?.runs === 'patch' && kind.beforeCommit)
    await patchHandlers[kind.name](patch, action, await patch.work.render(action.value))
  else patch.leaveOut(action, kind ? 'this is not done before the commit' : notPerformed)
}

/** Told with the change, and counted when it is committed: nobody waits for another's transaction because of a count. */
async function writeEntries(ctx: Context, entries: readonly LogEntry[]): Promise<void> {
  if (entries.length === 0) return
  await writeLog(ctx, entries, 'uncounted')
  ctx.afterCommit(() => ctx.apart(aside => countOutcomes(aside, entries)).catch(() => {}))
}
