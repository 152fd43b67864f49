import { itemVocabulary } from '../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { join, type Sql, sql } from '../../kernel/sql.ts'
import { compile, type Path } from '../../language/conditions/conditions.ts'
import { conditionNames } from '../clock/clock-shape.ts'
import type { ClockDefinition } from './clock-definition.ts'
import type { ItemSnapshot } from './item-snapshot.ts'

/** The answers of the conditions of all clocks for one snapshot of an item. */
interface ConditionAnswer {
  holds(clockId: Id, condition: string): boolean
  startInstant(clockId: Id): number | undefined
}

export type ConditionAnswers = ReadonlyMap<ItemSnapshot, ConditionAnswer>

/** Snapshots in one statement; more would make a single statement take too long. */
const batchSize = 500

/**
 * Evaluates the conditions of all clocks for snapshots of items. The conditions are the same SQL as everywhere. What they
 * read of an item beside its row (typed values, labels, assignees, the ticket) is provided by CTEs with the names of
 * those tables, with the values of the snapshot. Records further away are read as they are now.
 */
export async function answerConditions(
  ctx: Context,
  definitions: readonly ClockDefinition[],
  snapshots: readonly ItemSnapshot[],
  fieldRows: (snapshot: ItemSnapshot) => Record<string, unknown>[],
): Promise<ConditionAnswers> {
  const conditions = await conditionsOf(ctx, definitions)
  const answers = new Map<ItemSnapshot, ConditionAnswer>()
  if (conditions.holds.length + conditions.starts.length === 0) return answers
  for (let i = 0; i < snapshots.length; i += batchSize) {
    const part = snapshots.slice(i, i + batchSize)
    const rows = part.map((each, n) => ({ n, item: each.item, ticket: each.ticket, kept: fieldRows(each) }))
    const found = await ctx.sql<{ n: number; holds: boolean[]; starts: (Date | null)[] }>`
      select v.n, a.holds, a.starts
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(n int, item jsonb, ticket jsonb, kept jsonb)
        cross join lateral jsonb_populate_record(null::item, v.item) t
        cross join lateral (
          with item_value as (
            select t.tenant_id, t.id as item_id, k.field_id, k.n, left(fold(k.text_value), 500) as text_value, k.number_value, k.instant_value, k.date_value, k.id_value
            from jsonb_to_recordset(v.kept) as k(field_id uuid, n smallint, text_value text, number_value float8, instant_value timestamptz, date_value date, id_value uuid)
          ), item_label as (select t.tenant_id, t.id as item_id, l as label_id from unnest(t.labels) l
          ), item_assignee as (select t.tenant_id, t.id as item_id, u as user_id from unnest(t.assignees) u
          ), ticket as (select f.* from jsonb_populate_record(null::ticket, v.ticket || jsonb_build_object('tenant_id', t.tenant_id, 'id', t.id)) f)
          select array[${join(conditions.holds.map(({ sql: condition }) => sql`(${condition}) is true`))}]::boolean[] as holds,
            array[${join(conditions.starts.map(({ sql: value }) => value))}]::timestamptz[] as starts) a`
    for (const row of found) {
      const snapshot = part[row.n]
      if (snapshot) answers.set(snapshot, answerOf(conditions, row))
    }
  }
  return answers
}

interface Conditions {
  holds: { key: string; sql: Sql }[]
  starts: { key: string; sql: Sql }[]
}

/** The conditions that are not empty, compiled; and the values that `startFrom` names. */
async function conditionsOf(ctx: Context, definitions: readonly ClockDefinition[]): Promise<Conditions> {
  const conditions: Conditions = { holds: [], starts: [] }
  const vocabulary = await itemVocabulary(ctx)
  for (const { clock, targets } of definitions) {
    // A clock has no viewer, so `today` is a day in the timezone of the clock.
    const viewer = { userId: ctx.caller.userId, now: ctx.now, timezone: clock.timezone || 'UTC' }
    for (const name of conditionNames)
      if (clock[name].length > 0)
        conditions.holds.push({ key: `${clock.id} ${name}`, sql: compile(clock[name], vocabulary, viewer) })
    for (const { id, conditionGroup } of targets)
      if (conditionGroup.length > 0)
        conditions.holds.push({ key: `${clock.id} target:${id}`, sql: compile(conditionGroup, vocabulary, viewer) })
    const path = clock.startFrom.startsWith('field:')
      ? vocabulary.resolve(clock.startFrom.slice('field:'.length).trim())
      : undefined
    const value = path && instantOf(path, viewer.timezone)
    if (value) conditions.starts.push({ key: clock.id, sql: value })
  }
  return conditions
}

/** A date begins at midnight in the timezone of the clock. */
function instantOf(path: Path, timezone: string): Sql | undefined {
  if (path.kind === 'instant') return sql`(${path.value})::timestamptz`
  return path.kind === 'date' ? sql`((${path.value})::timestamp at time zone ${timezone}::text)` : undefined
}

function answerOf(conditions: Conditions, row: { holds: boolean[]; starts: (Date | null)[] }): ConditionAnswer {
  const holds = new Map(conditions.holds.map(({ key }, i) => [key, row.holds[i] === true]))
  const starts = new Map(conditions.starts.map(({ key }, i) => [key, row.starts[i]?.getTime()]))
  return {
    holds: (clockId, condition) => holds.get(`${clockId} ${condition.replace(/!$/, '')}`) ?? !condition.endsWith('!'),
    startInstant: clockId => starts.get(clockId),
  }
}
