import { raw, type Sql, sql } from '../../kernel/sql.ts'
import type { ColumnKind, Measure } from './table.ts'

// The measures of reports. Each is an aggregate over the records of a group, of those that also fulfil `among`.

type Unnamed = Omit<Measure, 'name'>

const all = raw('true')

export function count(about: string, among: Sql = all): Unnamed {
  return { kind: 'number', about, value: sql`count(*) filter (where ${among})` }
}

export function sum(about: string, value: Sql, among: Sql = all): Unnamed {
  return { kind: 'number', about, value: sql`coalesce(sum(${value}) filter (where ${among}), 0)` }
}

export function average(about: string, value: Sql, among: Sql = all): Unnamed {
  return { kind: 'number', about, value: sql`round(avg(${value}) filter (where ${among}), 4)` }
}

/** Interpolated between the two nearest values; null without any. */
export function percentile(about: string, p: number, value: Sql, among: Sql = all): Unnamed {
  const found = sql`percentile_cont(${p}::float8) within group (order by (${value})::float8) filter (where ${among})`
  return { kind: 'number', about, value: sql`round((${found})::numeric, 4)` }
}

/** One measure divided by another; null where that is 0. It is computed from sums, so it is right for totals, too. */
export function ratio(about: string, part: string, whole: string): Unnamed {
  return { kind: 'number', about, value: { ratio: [part, whole] } }
}

/** The hours between two moments. */
export const hoursBetween = (from: Sql, to: Sql): Sql => sql`(extract(epoch from ${to} - ${from}) / 3600)`

/** Gives the measures of a declaration their names. */
export function named(measures: Readonly<Record<string, Unnamed>>): Measure[] {
  return Object.entries(measures).map(([name, measure]) => ({ name, ...measure }))
}

export type Measures = Readonly<Record<string, Unnamed>>
export type { ColumnKind }
