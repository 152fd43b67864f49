import { isId } from '../id.ts'
import type { ColumnType } from '../record/columns.ts'
import { type Fault, fault } from '../refusal.ts'
import { formats } from '../schema/formats.ts'
import { and, join, or, raw, type Sql, sql } from '../sql.ts'
import type { SortKey } from './sort.ts'

/** A cursor holds the sort values of the last row, so that it survives inserts and deletes, and the fingerprint of its list. */
export function writeCursor(fingerprint: string, last: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([fingerprint, ...last])).toString('base64url')
}

function parseCursor(text: string): unknown[] {
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}

/** Returns the sort values in a cursor that this process made. */
export function cursorValues(text: string): unknown[] {
  return parseCursor(text).slice(1)
}

/** Reads a cursor that a caller sent, which may be of another list or no cursor at all. */
export function readCursor(
  text: string | undefined,
  fingerprint: string,
  sort: SortKey[],
  faults: Fault[],
): unknown[] | undefined {
  if (text === undefined) return undefined
  try {
    const [madeFor, ...values] = parseCursor(text)
    if (
      madeFor === fingerprint &&
      values.length === sort.length &&
      values.every((value, i) => isValueOf(sort[i]?.type, value))
    )
      return values
    faults.push(
      fault(['cursor'], 'cursor-mismatch', 'belongs to another list: use it with the same filters and the same order'),
    )
  } catch {
    faults.push(fault(['cursor'], 'cursor', 'is not a valid cursor'))
  }
  return undefined
}

function isValueOf(type: ColumnType | undefined, value: unknown): boolean {
  if (value === null) return true
  switch (type) {
    case 'uuid':
      return isId(value)
    case 'integer':
    case 'bigint':
      return Number.isSafeInteger(value)
    case 'numeric':
    case 'decimal':
    case 'float8':
      return typeof value === 'number' && Number.isFinite(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'timestamptz':
      return (
        typeof value === 'string' &&
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/.test(value) &&
        !Number.isNaN(Date.parse(value))
      )
    case 'date':
      return typeof value === 'string' && formats.date?.check(value) === true
    default:
      return typeof value === 'string'
  }
}

/** Selects the rows after a cursor, in the order of several keys, each in its direction, nulls last. */
export function afterCursor(sort: SortKey[], after: unknown[]): Sql {
  const [first] = sort
  // Compared as one row where that means the same, because only then can an index scan start at the cursor.
  if (first && sort.every((key, i) => !key.nullable && key.descending === first.descending && after[i] !== null)) {
    const place = join(sort.map((key, i) => sql`${after[i]}::${raw(key.type)}`))
    return sql`(${join(sort.map(key => key.value))}) ${first.descending ? raw('<') : raw('>')} (${place})`
  }
  const options: Sql[] = []
  for (const [i, key] of sort.entries()) {
    const value = after[i]
    if (value === null) continue // nulls come last, so nothing comes after one in this key
    const same = sort
      .slice(0, i)
      .map((each, j) => sql`${each.value} is not distinct from ${after[j]}::${raw(each.type)}`)
    const further = sql`${key.value} ${key.descending ? raw('<') : raw('>')} ${value}::${raw(key.type)}`
    options.push(and([...same, key.nullable ? sql`(${further} or ${key.value} is null)` : further]))
  }
  return or(options)
}
