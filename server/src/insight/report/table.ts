import type { Context } from '../../kernel/context.ts'
import { NeedsTransaction } from '../../kernel/operation.ts'
import { sqlState } from '../../kernel/postgres/sql-state.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { join, nothing, raw, type Sql, sql, unprepared } from '../../kernel/sql.ts'
import type { ConditionValueKind } from '../../language/conditions/vocabulary.ts'
import { together } from '../../records/together.ts'

// The table behind every report and every query: records that the caller may see, grouped and measured by one statement.

/** What the values of a column are; `duration` is a number of minutes, `decimal` a number that is answered as a text. */
export type ColumnKind = ConditionValueKind | 'decimal'

/** A value by which records are grouped. */
export interface Dimension {
  name: string
  kind: ColumnKind
  value: Sql
  /** A lateral join that gives one row for each value of a set; `value` names its column. */
  each?: Sql
  /** The name of a value for people, in the column `<name>Label`. It is looked up for each group, not for each record. */
  label?: (value: Sql) => Sql
  /** The property of items whose values it shows. */
  reveals?: string
}

/** A value that is computed from all records of a group: an aggregate of SQL, or the ratio of two other measures. */
export interface Measure {
  name: string
  kind: ColumnKind
  about?: string
  value: Sql | { ratio: readonly [string, string] }
  /** The aggregate that makes the value of all records from the values of groups; only where the result is exactly the same. */
  merge?: 'sum' | 'min' | 'max'
}

/** The records that are counted: `from` names them `record`, and all conditions are in `where`. */
interface Counted {
  from: Sql
  where: Sql
  /** The id of the record that a row of `from` belongs to. */
  record: Sql
  dimensions: readonly Dimension[]
}

export interface TableRequest extends Counted {
  measures: readonly Measure[]
  sort?: readonly { name: string; descending: boolean }[]
  limit: number
  /** Also computes the measures over all records, where each belongs to one group, in the same pass. */
  withTotal?: boolean
}

/** One row: its JSON, and the key of its group, by which its records are found again. */
export interface TableRow {
  text: string
  key: string
}

export const maxGroups = 50_000
const maxMilliseconds = 10_000

/** What one statement may find, and how long it may look. */
interface TableLimits {
  groups: number
  milliseconds: number
}

/** The rows of a table, in the order of `sort`, else of the dimensions; `groups` is their number without the limit. */
export async function readTable(
  ctx: Context,
  asked: TableRequest,
  limits: TableLimits = { groups: maxGroups, milliseconds: maxMilliseconds },
): Promise<{ rows: TableRow[]; groups: number; total: string | undefined }> {
  const found = await bounded(
    ctx,
    () => ctx.sql<TableRow & { groups: number; total: boolean }>`${unprepared(statement(asked))}`,
    limits.milliseconds,
  )
  const rows = found.filter(each => !each.total)
  const groups = found[0]?.groups ?? 0
  if (groups > limits.groups)
    throw new RuleBroken(
      'too-many-groups',
      `there are more than ${limits.groups} groups: group by less, or count fewer records`,
    )
  const total = found.find(each => each.total)?.text
  return { rows: rows.map(({ text, key }) => ({ text, key })), groups, total }
}

/** Whether the total can be computed together with the groups: a record with several values is in several groups. */
export const isPartition = (dimensions: readonly Dimension[]): boolean =>
  dimensions.length > 0 && dimensions.every(each => !each.each)

function statement(asked: TableRequest): Sql {
  const { from, where, dimensions, measures, limit, withTotal = false } = asked
  const aggregates = measures.flatMap(each => ('ratio' in each.value ? [] : [{ ...each, value: each.value }]))
  const names = dimensions.map((_, i) => raw(`dims.d${i}`))
  // A second aggregate over all records takes half as long again as the groups alone.
  const merged = withTotal ? mergedTotal(aggregates, names.length, measures) : undefined
  const inOnePass = withTotal && !merged
  const columns = [
    ...names,
    ...aggregates.map(each => sql`${each.value} as ${measured(each.name, measures)}`),
    raw(inOnePass ? 'grouping(dims.d0) = 1 as total' : 'false as total'),
  ]
  const sorted = sql`order by g.total desc, ${join(order(asked))}`
  const found = sql`select ${join(columns)} from ${from} ${joins(dimensions)} ${values(dimensions)} where ${where} ${grouping(names, inOnePass)}`
  const groups = merged ? sql`with found as materialized (${found}) select * from found union all ${merged}` : found
  // The texts and keys of groups beyond the limit are not made.
  const shown = sql`select g.*, (count(*) filter (where not g.total) over ())::int as groups from (${groups}) g ${sorted} limit ${limit + (withTotal ? 1 : 0)}`
  return sql`select ${rowText(asked)} as text, ${keyOf(dimensions.map((_, i) => raw(`g.d${i}`)))} as key, g.total, g.groups from (${shown}) g ${sorted}`
}

/** The row of the total, made from the groups; undefined if one of the aggregates needs the records. */
function mergedTotal(aggregates: readonly Measure[], before: number, measures: readonly Measure[]): Sql | undefined {
  const values = aggregates.flatMap(({ name, merge }) => {
    const column = sql`found.${measured(name, measures)}`
    // Without any group there is nothing to sum, and counts and sums are 0.
    if (merge === 'sum') return [sql`coalesce(sum(${column}), 0)`]
    return merge ? [sql`${raw(merge)}(${column})`] : []
  })
  if (values.length < aggregates.length) return undefined
  const empty = Array.from({ length: before }, () => raw('null'))
  return sql`select ${join([...empty, ...values, raw('true')])} from found`
}

/** Gives the values of the dimensions names, by which the row of the total is told from a group without values. */
function values(dimensions: readonly Dimension[]): Sql {
  if (dimensions.length === 0) return nothing
  return sql`cross join lateral (select ${join(dimensions.map((each, i) => sql`${each.value} as ${raw(`d${i}`)}`))}) dims`
}

function grouping(names: readonly Sql[], inOnePass: boolean): Sql {
  if (names.length === 0) return nothing
  return inOnePass ? sql`group by grouping sets ((${join(names)}), ())` : sql`group by ${join(names)}`
}

/** The joins that give a row for each value of a set. */
function joins(dimensions: readonly Dimension[]): Sql {
  return join(
    dimensions.map(({ each }) => each ?? nothing),
    ' ',
  )
}

const measured = (name: string, measures: readonly Measure[]) =>
  raw(`m${measures.findIndex(each => each.name === name)}`)

function rowText({ dimensions, measures, withTotal = false }: TableRequest): Sql {
  const group = dimensions.flatMap((each, i) => {
    const value = raw(`g.d${i}`)
    const own = sql`${each.name}::text, ${json(each.kind, value)}`
    return each.label ? [own, sql`${`${each.name}Label`}::text, ${each.label(value)}`] : [own]
  })
  const measuredValues = measures.map(each => sql`${each.name}::text, ${json(each.kind, measureValue(each, measures))}`)
  const row = sql`json_build_object(${join([...group, ...measuredValues])})::text`
  return withTotal ? sql`case when g.total then json_build_object(${join(measuredValues)})::text else ${row} end` : row
}

/** A ratio has no value where there is nothing to divide by. */
function measureValue({ name, value }: Measure, measures: readonly Measure[]): Sql {
  if (!('ratio' in value)) return sql`g.${measured(name, measures)}`
  const [part, whole] = value.ratio.map(each => sql`g.${measured(each, measures)}`)
  return sql`round(${part}::numeric / nullif(${whole}::numeric, 0), 4)`
}

function json(kind: ColumnKind, value: Sql): Sql {
  if (kind === 'instant') return instantText(value)
  if (kind === 'decimal') return sql`(${value})::numeric(30,4)::text`
  return kind === 'date' ? sql`to_char(${value}, 'YYYY-MM-DD')` : value
}

function order({ dimensions, measures, sort = [] }: TableRequest): Sql[] {
  const place = (name: string) => {
    const at = dimensions.findIndex(each => each.name === name)
    const measure = measures.find(each => each.name === name)
    return at >= 0 || !measure ? raw(`g.d${at}`) : measureValue(measure, measures)
  }
  const asked = sort.map(({ name, descending }) => sql`${place(name)} ${raw(descending ? 'desc' : 'asc')} nulls last`)
  const named = new Set(sort.map(each => each.name))
  const rest = dimensions.flatMap((each, i) => (named.has(each.name) ? [] : [raw(`g.d${i} nulls last`)]))
  return [...asked, ...rest, raw('g.total')]
}

/** Identifies a group by its values. */
function keyOf(values: readonly Sql[]): Sql {
  return values.length === 0 ? raw(`''`) : sql`md5(jsonb_build_array(${join(values)})::text)`
}

/** The condition on the records `t` that a row with this key has counted. */
export function countedUnder({ from, where, record, dimensions }: Counted, key: string): Sql {
  const own = dimensions.map(each => each.value)
  return sql`t.id in (select ${record} from ${from} ${joins(dimensions)} where ${where} and ${keyOf(own)} = ${key}::text)`
}

/** What calls `bounded` later begins with this, so that what it reads before is not read twice. */
export function demandTransaction(ctx: Context): void {
  if (ctx.single) throw new NeedsTransaction()
}

/** Runs a statement that reads any number of records for a limited time, in a transaction, because the limit is one of transactions. */
export async function bounded<T>(ctx: Context, run: () => Promise<T>, milliseconds = maxMilliseconds): Promise<T> {
  demandTransaction(ctx)
  try {
    const [, found] = await together([ctx.sql`${raw(`set local statement_timeout = ${milliseconds}`)}`, run()])
    return found
  } catch (error) {
    if (sqlState(error) !== '57014') throw error
    const message = `it would take longer than ${milliseconds / 1000} seconds: ask for a shorter period or fewer records`
    throw new RuleBroken('query-too-long', message)
  }
}

/** The schema of a value of this kind. */
export function schemaOf(kind: ColumnKind): Schema {
  switch (kind) {
    case 'number':
    case 'duration':
      return { type: ['number', 'null'] }
    case 'boolean':
      return { type: ['boolean', 'null'] }
    case 'decimal':
      return { type: ['string', 'null'], format: 'decimal' }
    case 'date':
      return { type: ['string', 'null'], format: 'date' }
    case 'instant':
      return { type: ['string', 'null'], format: 'date-time' }
    case 'text':
    case 'id':
    case 'user':
      return { type: ['string', 'null'] }
  }
}
