import { itemVocabulary } from '../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { join, type Sql, sql } from '../../kernel/sql.ts'
import { compile, type Path } from '../../language/conditions/conditions.ts'
import { conditionNames } from '../clock/thresholds.ts'
import type { Definition } from './clock-definition.ts'

/** An item as it stood: its row, its desk's row, and the process of its container, for one that names none. */
export interface Snapshot {
  item: Record<string, unknown>
  ticket: Record<string, unknown>
  processId: Id | ''
}

/** What the conditions of clocks say of an item as it stood. */
export interface Answer {
  holds(clockId: Id, condition: string): boolean
  began(clockId: Id): number | undefined
}

export type Answers = ReadonlyMap<Snapshot, Answer>

/** Rows in one statement: few enough that none of them is long. */
const batch = 500

/**
 * Asks the conditions of all clocks of items as they stood. The conditions are the same SQL as everywhere; what they read
 * of an item beside its row (typed values, labels, assignees, the desk's part) is put before them under the names of
 * those tables, as it was then. Whatever lies further away is asked as it is now.
 */
export async function ask(
  ctx: Context,
  all: readonly Definition[],
  snapshots: readonly Snapshot[],
  keptValues: (fields: Record<string, unknown>) => Record<string, unknown>[],
): Promise<Answers> {
  const asked = await questions(ctx, all)
  const answers = new Map<Snapshot, Answer>()
  if (asked.holds.length + asked.began.length === 0) return answers
  for (let i = 0; i < snapshots.length; i += batch) {
    const part = snapshots.slice(i, i + batch)
    const rows = part.map(({ item, ticket }, n) => ({
      n,
      item,
      ticket,
      kept: keptValues((item.fields ?? {}) as Record<string, unknown>),
    }))
    const found = await ctx.sql<{ n: number; holds: boolean[]; began: (Date | null)[] }>`
      select v.n, a.holds, a.began
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(n int, item jsonb, ticket jsonb, kept jsonb)
        cross join lateral jsonb_populate_record(null::item, v.item) t
        cross join lateral (
          with item_value as (
            select t.tenant_id, t.id as item_id, k.field_id, k.n, left(fold(k.text_value), 500) as text_value, k.number_value, k.instant_value, k.date_value, k.id_value
            from jsonb_to_recordset(v.kept) as k(field_id uuid, n smallint, text_value text, number_value float8, instant_value timestamptz, date_value date, id_value uuid)
          ), item_label as (select t.tenant_id, t.id as item_id, l as label_id from unnest(t.labels) l
          ), item_assignee as (select t.tenant_id, t.id as item_id, u as user_id from unnest(t.assignees) u
          ), ticket as (select f.* from jsonb_populate_record(null::ticket, v.ticket || jsonb_build_object('tenant_id', t.tenant_id, 'id', t.id)) f)
          select array[${join(asked.holds.map(({ sql: condition }) => sql`(${condition}) is true`))}]::boolean[] as holds,
            array[${join(asked.began.map(({ sql: value }) => value))}]::timestamptz[] as began) a`
    for (const row of found) {
      const snapshot = part[row.n]
      if (snapshot) answers.set(snapshot, answerOf(asked, row))
    }
  }
  return answers
}

interface Questions {
  holds: { key: string; sql: Sql }[]
  began: { key: string; sql: Sql }[]
}

/** Only what somebody has asked: a condition that says nothing needs no answer. */
async function questions(ctx: Context, all: readonly Definition[]): Promise<Questions> {
  const asked: Questions = { holds: [], began: [] }
  const vocabulary = await itemVocabulary(ctx)
  for (const { clock, promises } of all) {
    // Rules and clocks run without a viewer: days are those of the clock.
    const viewer = { userId: ctx.caller.userId, now: ctx.now, timezone: clock.timezone || 'UTC' }
    for (const name of conditionNames)
      if (clock[name].length > 0)
        asked.holds.push({ key: `${clock.id} ${name}`, sql: compile(clock[name], vocabulary, viewer) })
    for (const { id, conditionGroup } of promises)
      if (conditionGroup.length > 0)
        asked.holds.push({ key: `${clock.id} target:${id}`, sql: compile(conditionGroup, vocabulary, viewer) })
    const path = clock.startFrom.startsWith('field:')
      ? vocabulary.resolve(clock.startFrom.slice('field:'.length).trim())
      : undefined
    const value = path && instantOf(path, viewer.timezone)
    if (value) asked.began.push({ key: clock.id, sql: value })
  }
  return asked
}

/** A day begins at midnight on the wall of the clock. */
function instantOf(path: Path, timezone: string): Sql | undefined {
  if (path.kind === 'instant') return sql`(${path.value})::timestamptz`
  return path.kind === 'date' ? sql`((${path.value})::timestamp at time zone ${timezone}::text)` : undefined
}

function answerOf(asked: Questions, row: { holds: boolean[]; began: (Date | null)[] }): Answer {
  const holds = new Map(asked.holds.map(({ key }, i) => [key, row.holds[i] === true]))
  const began = new Map(asked.began.map(({ key }, i) => [key, row.began[i]?.getTime()]))
  return {
    holds: (clockId, condition) => holds.get(`${clockId} ${condition.replace(/!$/, '')}`) ?? !condition.endsWith('!'),
    began: clockId => began.get(clockId),
  }
}
