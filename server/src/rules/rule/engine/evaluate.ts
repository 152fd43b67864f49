import { visibleItems } from '../../../items/item/item.ts'
import type { Caller } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import { and, join, or, ownTenant, raw, type Sql, sql } from '../../../kernel/sql.ts'
import {
  compile,
  explain,
  operatorNames,
  type Viewer,
  type Vocabulary,
} from '../../../language/conditions/conditions.ts'
import { ownerKind } from '../../../records/references/owner.ts'
import { mode } from '../rule-codes.ts'
import type { Rule } from '../rule-shape.ts'
import { amountsFor, pathsOf } from './clock-amounts.ts'
import { eventVocabulary, rowsOf } from './event-vocabulary.ts'
import type { Occurrence } from './occurrence.ts'

/** A rule with the caller as which it acts. */
export interface ActingRule {
  rule: Rule
  principal: Caller
}

/** The result of one condition, for the log. */
export interface TracedCondition {
  id: string
  leftSide: string
  operator: number
  rightSide: string
  left: string | null
  outcome: boolean
  /** The index of its group; one of the groups must hold. */
  group: number
  fault?: string
}

/** Returns for each occurrence whether each rule matches. `wanted` limits the rules of each occurrence, by index. */
export async function matchRules(
  ctx: Context,
  actingRules: readonly ActingRule[],
  occurrences: readonly Occurrence[],
  wanted?: readonly (readonly number[])[],
): Promise<boolean[][]> {
  if (actingRules.length === 0 || occurrences.length === 0) return occurrences.map(() => [])
  const [first] = occurrences
  if (first && actingRules.some(comparesActor) && occurrences.some(each => each.actorId !== first.actorId)) {
    const matches: boolean[][] = []
    for (const [n, each] of occurrences.entries())
      matches.push(...(await matchRules(ctx, actingRules, [each], wanted && [wanted[n] ?? []])))
    return matches
  }
  const principals = [...new Set(actingRules.map(each => each.principal))]
  const columns = await Promise.all(
    actingRules.map(each => matchOf(ctx, each, raw(`v.p${principals.indexOf(each.principal)}`), first?.actorId)),
  )
  const amounts = await amountsFor(ctx, pathsOf(actingRules.map(each => each.rule)), occurrences)
  const rules = occurrences.map((_, n) => ({ rules: wanted?.[n] ?? actingRules.map((_each, i) => i), ...amounts[n] }))
  const each = columns.map((holds, i) => sql`coalesce(${raw(String(i))} = any(e.rules) and ${holds}, false)`)
  const rows = await ctx.sql<{ n: number; holds: boolean[] }>`select e.n, array[${join(each)}] as holds
    from ${rowsOf(occurrences, rules)} ${withItem(ctx, inUse)} ${withVisibility(principals)}`
  const found = new Map(rows.map(row => [row.n, row.holds]))
  return occurrences.map((_, n) => found.get(n) ?? [])
}

/**
 * Joins the item (`t`) of each occurrence (`e`). The limit makes PostgreSQL look it up by its key: else a plan that was made
 * while the tenant had few items reads all of them, each time.
 */
export function withItem(ctx: Context, where: Sql = raw('true')): Sql {
  return sql`left join lateral (select t.* from item t where t.tenant_id = ${ctx.caller.tenantId} and t.id = e.item_id and ${where} limit 1) t on true`
}

/**
 * Joins whether each principal sees the item, as `v.p0`, `v.p1` …: most rules share a principal, and the statement with fifty
 * rules is a third as long. The offset keeps PostgreSQL from evaluating it again for each rule.
 */
function withVisibility(principals: readonly Caller[]): Sql {
  const each = principals.map((principal, i) => sql`${visibleItems(principal, raw('t'))} as ${raw(`p${i}`)}`)
  return sql`cross join lateral (select ${join(each)} offset 0) v`
}

/** `@actor` is compiled as a constant, so occurrences with different actors need one statement each. */
export function comparesActor({ rule }: Pick<ActingRule, 'rule'>): boolean {
  return rule.conditionGroup.some(({ condition }) => condition.some(each => /@actor/i.test(each.rightSide ?? '')))
}

/** The scope and the conditions of a rule, where `visible` says whether its principal sees the item. */
async function matchOf(ctx: Context, acting: ActingRule, visible: Sql, actorId?: Id): Promise<Sql> {
  return and([scopeOf(acting.rule, visible), await compileConditions(ctx, acting, actorId)])
}

/** Compiles the scope and the conditions of a rule to one SQL condition on an item (`t`) and an occurrence (`e`). */
export async function compileRule(ctx: Context, acting: ActingRule): Promise<Sql> {
  return await matchOf(ctx, acting, visibleItems(acting.principal, raw('t')))
}

async function compileConditions(ctx: Context, { rule, principal }: ActingRule, actorId?: Id): Promise<Sql> {
  const known = compiled.get(rule)?.get(principal)
  if (known) return known
  const vocabulary = await vocabularyFor(ctx, principal)
  const condition = compile(rule.conditionGroup, vocabulary, viewerOf(ctx, { rule, principal }, actorId))
  if (isTimeless(rule)) compiled.set(rule, (compiled.get(rule) ?? new WeakMap<Caller, Sql>()).set(principal, condition))
  return condition
}

/** Compiled conditions live as long as the cached rule and principal objects. */
const compiled = new WeakMap<Rule, WeakMap<Caller, Sql>>()

const isRelativeToNow = (operator: number) =>
  ['withinLast', 'withinNext', 'olderThan', 'laterThan'].includes(operatorNames[operator] ?? '')

/** Whether the compiled conditions can be cached: they depend neither on the time (`@today`, `now`, a span from now) nor on the actor. */
export function isTimeless({ conditionGroup }: Pick<Rule, 'conditionGroup'>): boolean {
  return conditionGroup.every(({ condition }) =>
    condition.every(
      ({ leftSide, operator, rightSide = '' }) =>
        !rightSide.includes('@') && !isRelativeToNow(operator) && !/^(now|today)$/i.test(leftSide.trim()),
    ),
  )
}

const vocabularies = new WeakMap<Context, Map<Caller, Promise<Vocabulary>>>()

/** Cached per transaction: the fields and their visibility do not change within one. */
export async function vocabularyFor(ctx: Context, principal: Caller): Promise<Vocabulary> {
  const known = vocabularies.get(ctx) ?? new Map<Caller, Promise<Vocabulary>>()
  vocabularies.set(ctx, known)
  const vocabulary = known.get(principal) ?? eventVocabulary(ctx.derive({ caller: principal }))
  known.set(principal, vocabulary)
  return await vocabulary
}

export function viewerOf(ctx: Context, { rule, principal }: ActingRule, actorId = principal.userId): Viewer {
  return { userId: principal.userId, actorId, now: ctx.now, timezone: rule.timezone || principal.timezone }
}

/** Rules ignore items in archived containers. The condition is evaluated once per item, not once per rule. */
export const inUse: Sql = sql`not exists (select 1 from container c where c.tenant_id = ${ownTenant} and c.id = t.container_id and c.archived)`

/** Limits a rule to its containers, to its owner (a container or an area), and to the items that are `visible` to its principal. */
export function scopeOf({ container, owner, ownerId, ...rule }: Rule, visible: Sql): Sql {
  const places: Sql[] = []
  if (container.length > 0) places.push(sql`t.container_id = any(${container}::uuid[])`)
  if (owner === ownerKind.container && isId(ownerId)) places.push(sql`t.container_id = ${ownerId}::uuid`)
  if (owner === ownerKind.area && isId(ownerId)) places.push(sql`t.area_id = ${ownerId}::uuid`)
  // Rules ignore archived items; but before the commit a rule may refuse the archiving itself.
  const inScope = rule.mode === mode.beforeCommit ? raw('true') : raw('not t.archived')
  const seen = sql`(not t.deleted and ${inScope} and ${visible})`
  // An occurrence without an item matches only rules without a container or an area.
  return places.length > 0 ? and([...places, seen]) : or([sql`e.item_id is null`, seen])
}

/** Evaluates each condition separately, for the log. */
export async function trace(
  ctx: Context,
  acting: ActingRule,
  occurrence: Occurrence,
): Promise<readonly TracedCondition[]> {
  return (await traceAll(ctx, acting, [occurrence])).get(occurrence) ?? []
}

/** Evaluates each condition separately, for several occurrences; these must have the same actor if the rule compares it. */
export async function traceAll(
  ctx: Context,
  { rule, principal }: ActingRule,
  occurrences: readonly Occurrence[],
): Promise<Map<Occurrence, TracedCondition[]>> {
  const all = await explainRule(ctx, { rule, principal }, occurrences[0]?.actorId ?? principal.userId)
  if (all.length === 0) return new Map(occurrences.map(each => [each, []]))
  const amounts = await amountsFor(ctx, pathsOf([rule]), occurrences)
  const rows = await ctx.sql<{ n: number; lefts: (string | null)[]; holds: boolean[] }>`
    select e.n, array[${join(all.map(each => each.left))}]::text[] as lefts, array[${join(all.map(each => sql`coalesce(${each.holds}, false)`))}] as holds
    from ${rowsOf(occurrences, amounts)} ${withItem(ctx)}`
  const found = new Map(rows.map(row => [row.n, row]))
  return new Map(occurrences.map((each, n) => [each, traced(all, found.get(n) ?? { lefts: [], holds: [] })]))
}

async function explainRule(ctx: Context, { rule, principal }: ActingRule, actorId: Id): Promise<Explained> {
  const known = explained.get(rule)?.get(principal)
  if (known) return known
  if (rule.conditionGroup.length === 0) return []
  const vocabulary = await vocabularyFor(ctx, principal)
  const all = explain(rule.conditionGroup, vocabulary, viewerOf(ctx, { rule, principal }, actorId))
  if (isTimeless(rule))
    explained.set(rule, (explained.get(rule) ?? new WeakMap<Caller, Explained>()).set(principal, all))
  return all
}

type Explained = ReturnType<typeof explain>
const explained = new WeakMap<Rule, WeakMap<Caller, Explained>>()

/** The values and outcomes that a statement has found, with their conditions. */
export function traced(
  all: Explained,
  { lefts, holds }: { lefts: readonly (string | null)[]; holds: readonly boolean[] },
): TracedCondition[] {
  return all.map(({ group, id, leftSide, operator, rightSide, fault }, i) => ({
    ...{ group, id, leftSide, operator, rightSide, left: lefts[i] ?? null, outcome: holds[i] ?? false },
    ...(fault ? { fault } : {}),
  }))
}
