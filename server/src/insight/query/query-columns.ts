import type { Context } from '../../kernel/context.ts'
import { type Fault, fault } from '../../kernel/refusal.ts'
import { nearest } from '../../kernel/schema/shape.ts'
import { raw, sql } from '../../kernel/sql.ts'
import type { Path, Vocabulary } from '../../language/conditions/conditions.ts'
import type { SingleValue } from '../../language/conditions/vocabulary.ts'
import { bucketOf } from '../report/period.ts'
import type { ColumnKind, Dimension, Measure } from '../report/table.ts'
import type { QueryBody } from './query-body.ts'

type GroupBy = NonNullable<QueryBody['groupBy']>[number]
type Asked = NonNullable<QueryBody['measures']>[number]

/** The fields that a query may name, and the faults that were found in it. */
interface Reading {
  ctx: Context
  vocabulary: Vocabulary
  timezone: string
  faults: Fault[]
}

/** Reads the values to group by. */
export function readDimensions(reading: Reading, groupBy: readonly GroupBy[]): Dimension[] {
  return groupBy.flatMap((asked, i) => {
    const at = ['groupBy', i] as const
    const path = fieldAt(reading, asked.field, at)
    return path ? [dimension(reading, path, asked, i)] : []
  })
}

function dimension(
  { timezone, faults }: Reading,
  path: Path,
  { field, bucket, as = field }: GroupBy,
  i: number,
): Dimension {
  const refuse = (code: string, message: string) => faults.push(fault(['groupBy', i, 'bucket'], code, message, bucket))
  if (path.kind === 'set') {
    if (bucket) refuse('bucket', 'is for dates and times')
    const each = raw(`s${i}`)
    const values = sql`left join lateral (select distinct e.value from (${path.elements}) e(value)) ${each} on true`
    return { name: as, kind: path.of, value: sql`${each}.value`, each: values }
  }
  if (path.kind === 'date' || path.kind === 'instant') {
    if (!bucket) return { name: as, kind: path.kind, value: path.value }
    return { name: as, kind: 'date', value: bucketOf(bucket, path.kind, path.value, timezone) }
  }
  if (bucket) refuse('bucket', 'is for dates and times')
  // No value is the same as an empty text.
  return { name: as, kind: kindOf(path), value: path.kind === 'text' ? sql`nullif(${path.value}, '')` : path.value }
}

/** Reads the measures; without any, the records are counted. */
export function readMeasures(reading: Reading, measures: readonly Asked[] = [{ op: 'count' }]): Measure[] {
  return measures.flatMap((asked, i) => {
    const { op, field, as = field ? `${op}.${field}` : op } = asked
    const at = ['measures', i] as const
    if (op === 'percentile' && asked.p === undefined)
      reading.faults.push(fault([...at, 'p'], 'required', 'is required for a percentile'))
    if (field === undefined) {
      if (op !== 'count') reading.faults.push(fault([...at, 'field'], 'required', 'is required'))
      return [{ name: as, kind: 'number', value: raw('count(*)'), merge: 'sum' }]
    }
    const path = fieldAt(reading, field, at)
    if (!path) return []
    const made = path.kind === 'set' ? undefined : aggregate(asked, kindOf(path), path)
    if (made) return [{ name: as, ...made }]
    const what = path.kind === 'set' ? 'a set of values' : `a ${path.kind}`
    reading.faults.push(fault([...at, 'op'], 'operator-does-not-apply', `does not apply to ${what}`, op))
    return []
  })
}

const kindOf = ({ kind, decimal }: SingleValue): ColumnKind => (decimal ? 'decimal' : kind)
const isAmount = (kind: ColumnKind) => kind === 'number' || kind === 'duration' || kind === 'decimal'
const isOrdered = (kind: ColumnKind) => isAmount(kind) || kind === 'date' || kind === 'instant'

/** The aggregate of a field; undefined if the operation does not apply to it. */
function aggregate(
  { op, p = 0.5 }: Asked,
  kind: ColumnKind,
  { value, exact }: SingleValue,
): Omit<Measure, 'name'> | undefined {
  switch (op) {
    case 'count':
      return { kind: 'number', value: sql`count(${value})`, merge: 'sum' }
    case 'countDistinct':
      return { kind: 'number', value: sql`count(distinct ${value})` }
    case 'min':
    case 'max':
      return isOrdered(kind) ? { kind, value: sql`${raw(op)}(${value})`, merge: op } : undefined
    case 'sum':
      // A sum of doubles depends on their order, so it is not made from sums.
      return isAmount(kind)
        ? { kind, value: sql`coalesce(sum(${value}), 0)`, ...(exact ? { merge: 'sum' } : {}) }
        : undefined
    case 'avg':
      return isAmount(kind) ? { kind, value: sql`round(avg(${value})::numeric, 4)` } : undefined
    case 'percentile': {
      const found = sql`percentile_cont(${p}::float8) within group (order by (${value})::float8)`
      return isAmount(kind) ? { kind, value: sql`round((${found})::numeric, 4)` } : undefined
    }
  }
}

function fieldAt({ vocabulary, faults }: Reading, field: string, at: readonly (string | number)[]): Path | undefined {
  const path = vocabulary.resolve(field)
  if (path) return path
  const near = nearest(field, vocabulary.names?.() ?? [])
  faults.push(
    fault(
      [...at, 'field'],
      'unknown-path',
      near ? `no such field here; did you mean ${near}?` : 'no such field here',
      field,
    ),
  )
  return undefined
}

/** Two columns of one name could not be told apart, and `drill` is the name of a member of each row. */
export function refuseNames(columns: readonly { name: string }[], faults: Fault[]): void {
  const seen = new Set(['drill'])
  for (const { name } of columns) {
    if (seen.has(name))
      faults.push(fault(['measures'], 'duplicate', `the column ${name} is there already: name it with as`))
    seen.add(name)
  }
}

/** Reads `-count,status`. */
export function readSort(text: string, columns: readonly { name: string }[], faults: Fault[]) {
  return text
    .split(',')
    .map(each => each.trim())
    .filter(Boolean)
    .map(each => {
      const name = each.replace(/^-/, '')
      if (!columns.some(column => column.name === name))
        faults.push(fault(['sort'], 'unknown', `there is no column ${name}`, text))
      return { name, descending: each.startsWith('-') }
    })
}
