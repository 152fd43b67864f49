import { items, visibleItems } from '../../../items/item/item.ts'
import { pastVocabulary } from '../../../items/past/past.ts'
import type { Context } from '../../../kernel/context.ts'
import { and, join, raw, type Sql, sql } from '../../../kernel/sql.ts'
import { compile, explain, type Vocabulary } from '../../../language/conditions/conditions.ts'
import { rowsAt } from '../../../records/history/past.ts'
import { amountsFor, comparesAmounts, pathsOf } from '../engine/clock-amounts.ts'
import {
  type ActingRule,
  comparesActor,
  inUse,
  isTimeless,
  scopeOf,
  type TracedCondition,
  traced,
  viewerOf,
} from '../engine/evaluate.ts'
import { eventVocabulary, rowsOf } from '../engine/event-vocabulary.ts'
import type { Occurrence } from '../engine/occurrence.ts'

// Conditions of a rule on occurrences of the past: one statement evaluates a whole page of the log, each occurrence on its item
// as it was then. What the log does not tell of an item (its links, its clocks, the records around it) is as it is now.

/** Whether a rule matched an occurrence, and what each condition found. */
interface PastMatch {
  holds: boolean
  conditions: TracedCondition[]
}

/** Evaluates a rule on occurrences of the past; undefined where the caller does not see the item. */
export async function matchPast(
  ctx: Context,
  acting: ActingRule,
  occurrences: readonly Occurrence[],
): Promise<(PastMatch | undefined)[]> {
  const { rule } = acting
  // What depends on the time or the actor is compiled as a constant, so that each occurrence needs its own statement.
  const apart = !isTimeless(rule) || comparesActor(acting) || comparesAmounts(rule)
  const groups = apart ? occurrences.map(each => [each]) : [occurrences]
  const found: (PastMatch | undefined)[] = []
  for (const group of groups) found.push(...(await matchPage(ctx, acting, group)))
  return found
}

async function matchPage(
  ctx: Context,
  acting: ActingRule,
  occurrences: readonly Occurrence[],
): Promise<(PastMatch | undefined)[]> {
  const [first] = occurrences
  if (!first) return []
  const { rule, principal } = acting
  const then = ctx.derive({ now: first.at })
  const viewer = viewerOf(then, acting, first.actorId)
  const vocabulary = await vocabularyThen(ctx.derive({ caller: principal }))
  const holds = and([
    scopeOf(rule, visibleItems(principal, raw('t'))),
    compile(rule.conditionGroup, vocabulary, viewer),
  ])
  const all = explain(rule.conditionGroup, vocabulary, viewer)
  const amounts = await amountsFor(then, pathsOf([rule]), occurrences)
  const moments = occurrences.map(({ at }, n) => ({ at: at.toISOString(), ...amounts[n] }))
  const rows = await ctx.sql<{ n: number; matches: boolean; lefts: (string | null)[]; holds: boolean[] }>`
    select e.n, coalesce(${holds}, false) as matches, array[${join(all.map(each => each.left))}]::text[] as lefts,
      array[${join(all.map(each => sql`coalesce(${each.holds}, false)`))}]::boolean[] as holds
    from ${rowsOf(occurrences, moments)} cross join lateral (select e.at as at, e.item_id as item_id) o
    left join lateral (${itemThen}) t on ${inUse}
    where e.item_id is null or ${seenNow(ctx)}`
  const byIndex = new Map(rows.map(row => [row.n, row]))
  return occurrences.map((_, n) => {
    const row = byIndex.get(n)
    return row && { holds: row.matches, conditions: traced(all, row) }
  })
}

/** The item of an occurrence (`o`) as it was at that moment. */
const itemThen: Sql = sql`select r.* from ${rowsAt(items, raw('o.at'), raw('p.id = o.item_id'), 'fields')} r`

/** Whether the caller may see the item of an occurrence, by their rights of now. */
function seenNow({ caller }: Context): Sql {
  return sql`exists (select 1 from item v where v.tenant_id = ${caller.tenantId} and v.id = e.item_id and ${visibleItems(caller, raw('v'))})`
}

/** The vocabulary of events, in which the properties of items are those of then. */
export async function vocabularyThen(ctx: Context): Promise<Vocabulary> {
  const ofEvent = await eventVocabulary(ctx)
  const ofPast = await pastVocabulary(ctx, raw('o.at'))
  return { ...ofEvent, resolve: path => ofPast.resolve(path) ?? ofEvent.resolve(path) }
}
