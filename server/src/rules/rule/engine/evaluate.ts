import { visibleItems } from '../../../items/item/item.ts'
import type { Caller } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import { and, join, or, raw, type Sql, sql } from '../../../kernel/sql.ts'
import { compile, explain, type Viewer, type Vocabulary } from '../../../language/conditions/conditions.ts'
import { mode } from '../rule-codes.ts'
import type { Rule } from '../rule-shape.ts'
import { amountsFor, pathsOf } from './clock-amounts.ts'
import { eventVocabulary, rowsOf } from './event-vocabulary.ts'
import type { Occurrence } from './occurrence.ts'

/** A rule, and who it is at this moment. */
export interface ActingRule {
  rule: Rule
  principal: Caller
}

/** One condition, as it stood. */
export interface TracedCondition {
  id: string
  leftSide: string
  operator: number
  rightSide: string
  left: string | null
  outcome: boolean
  /** Its place among the groups, of which one must hold. */
  group: number
  fault?: string
}

/** For each occurrence, whether each of the rules holds; only those that are asked of it (`asked`, all if not said). */
export async function matchRules(
  ctx: Context,
  actingRules: readonly ActingRule[],
  occurrences: readonly Occurrence[],
  asked?: readonly (readonly number[])[],
): Promise<boolean[][]> {
  if (actingRules.length === 0 || occurrences.length === 0) return occurrences.map(() => [])
  const [first] = occurrences
  if (first && actingRules.some(asksForActor) && occurrences.some(each => each.actorId !== first.actorId)) {
    const answers: boolean[][] = []
    for (const [n, each] of occurrences.entries())
      answers.push(...(await matchRules(ctx, actingRules, [each], asked && [asked[n] ?? []])))
    return answers
  }
  const columns = await Promise.all(actingRules.map(each => compileRule(ctx, each, first?.actorId)))
  const amounts = await amountsFor(ctx, pathsOf(actingRules.map(each => each.rule)), occurrences)
  const rules = occurrences.map((_, n) => ({ rules: asked?.[n] ?? actingRules.map((_each, i) => i), ...amounts[n] }))
  const each = columns.map((holds, i) => sql`coalesce(${raw(String(i))} = any(e.rules) and ${holds}, false)`)
  const rows = await ctx.sql<{ n: number; holds: boolean[] }>`select e.n, array[${join(each)}] as holds
    from ${rowsOf(occurrences, rules)} left join item t on t.tenant_id = ${ctx.caller.tenantId} and t.id = e.item_id and ${inUse}`
  const found = new Map(rows.map(row => [row.n, row.holds]))
  return occurrences.map((_, n) => found.get(n) ?? [])
}

/** `@actor` is somebody else for each occurrence, and so each is asked about by itself. */
function asksForActor({ rule }: ActingRule): boolean {
  return rule.conditionGroup.some(({ condition }) => condition.some(each => /@actor/i.test(each.rightSide)))
}

/** All that a rule asks of an item (`t`) and an occurrence (`e`), as one condition. */
export async function compileRule(ctx: Context, { rule, principal }: ActingRule, actorId?: Id): Promise<Sql> {
  const known = compiled.get(rule)?.get(principal)
  if (known) return known
  const vocabulary = await vocabularyFor(ctx, principal)
  const viewer = viewerOf(ctx, { rule, principal }, actorId)
  const meant = and([scopeOf(rule, principal), compile(rule.conditionGroup, vocabulary, viewer)])
  if (isTimeless(rule)) compiled.set(rule, (compiled.get(rule) ?? new WeakMap<Caller, Sql>()).set(principal, meant))
  return meant
}

/** What a rule means stays the same for as long as the rule and its principal are remembered; forgotten with them. */
const compiled = new WeakMap<Rule, WeakMap<Caller, Sql>>()

/** Whether its conditions mean the same at any moment and for anybody: no `@today`, no duration back from now, no `now`. */
function isTimeless({ conditionGroup }: Rule): boolean {
  return conditionGroup.every(({ condition }) =>
    condition.every(
      ({ leftSide, operator, rightSide }) =>
        !rightSide.includes('@') && (operator < 22 || operator > 25) && !/^(now|today)$/i.test(leftSide.trim()),
    ),
  )
}

const vocabularies = new WeakMap<Context, Map<Caller, Promise<Vocabulary>>>()

/** Made once for a transaction: what fields there are and which of them somebody sees does not change within. */
export async function vocabularyFor(ctx: Context, principal: Caller): Promise<Vocabulary> {
  const known = vocabularies.get(ctx) ?? new Map<Caller, Promise<Vocabulary>>()
  vocabularies.set(ctx, known)
  const vocabulary = known.get(principal) ?? eventVocabulary(ctx.derive({ caller: principal }))
  known.set(principal, vocabulary)
  return await vocabulary
}

function viewerOf(ctx: Context, { rule, principal }: ActingRule, actorId = principal.userId): Viewer {
  return { userId: principal.userId, actorId, now: ctx.now, timezone: rule.timezone || principal.timezone }
}

/** What lies in an archived container rests: asked once for an item, not for each rule. */
export const inUse: Sql = raw(
  'not exists (select 1 from container c where c.tenant_id = t.tenant_id and c.id = t.container_id and c.archived)',
)

/** Which items a rule is about: what it names, within what administers it, as far as it sees them. */
export function scopeOf({ container, owner, ownerId, ...rule }: Rule, principal: Caller): Sql {
  const t = raw('t')
  const places: Sql[] = []
  if (container.length > 0) places.push(sql`t.container_id = any(${container}::uuid[])`)
  if (owner === 1 && isId(ownerId)) places.push(sql`t.container_id = ${ownerId}::uuid`)
  if (owner === 2 && isId(ownerId)) places.push(sql`t.area_id = ${ownerId}::uuid`)
  // What is put away rests; whether it may be put away is still asked before the commit.
  const awake = rule.mode === mode.beforeCommit ? raw('true') : raw('not t.archived')
  const seen = sql`(not t.deleted and ${awake} and ${visibleItems(principal, t)})`
  // What is about no item is about no container either.
  return places.length > 0 ? and([...places, seen]) : or([sql`e.item_id is null`, seen])
}

/** Every condition for itself, with what it found. */
export async function trace(
  ctx: Context,
  { rule, principal }: ActingRule,
  occurrence: Occurrence,
): Promise<TracedCondition[]> {
  const vocabulary = await vocabularyFor(ctx, principal)
  const all = explain(rule.conditionGroup, vocabulary, viewerOf(ctx, { rule, principal }, occurrence.actorId))
  if (all.length === 0) return []
  const amounts = await amountsFor(ctx, pathsOf([rule]), [occurrence])
  const [row] = await ctx.sql<{ lefts: (string | null)[]; holds: boolean[] }>`
    select array[${join(all.map(each => each.left))}]::text[] as lefts, array[${join(all.map(each => sql`coalesce(${each.holds}, false)`))}] as holds
    from ${rowsOf([occurrence], amounts)} left join item t on t.tenant_id = ${ctx.caller.tenantId} and t.id = e.item_id`
  return all.map(({ group, id, leftSide, operator, rightSide, fault }, i) => ({
    ...{ group, id, leftSide, operator, rightSide, left: row?.lefts[i] ?? null, outcome: row?.holds[i] ?? false },
    ...(fault ? { fault } : {}),
  }))
}
