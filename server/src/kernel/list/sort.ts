import { type Column, type ColumnType, plainDefault } from '../record/columns.ts'
import { type Fault, fault } from '../refusal.ts'
import { name, raw, type Sql, sql } from '../sql.ts'

/** A value that a list can be sorted by. */
export interface Sortable {
  type: ColumnType
  value: Sql
  /** Another table that also has the value, with an index in its order; a record without a row there comes last. */
  indexed?: { table: Sql; on: Sql; value: Sql; id: Sql }
  /** An index has the values that are not empty, so the records without one are read apart. */
  sparse?: { empty: unknown }
}

/** One key of the order of a list. */
export interface SortKey extends Sortable {
  nullable: boolean
  descending: boolean
}

/** Reads `-updated,name`; the id is added as the last key if it is not named, so that a cursor names one place. */
export function readSort(
  text: string,
  find: (name: string) => (Sortable & { nullable?: boolean }) | undefined,
  faults: Fault[],
): SortKey[] {
  const keys: SortKey[] = []
  const parts = text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)
  for (const each of parts) {
    const found = find(each.replace(/^[-+]/, ''))
    if (found) keys.push({ nullable: true, ...found, descending: each.startsWith('-') })
    else faults.push(fault(['sort'], 'unknown', `cannot sort by ${each.slice(0, 60)}`, text))
  }
  if (keys.length > 5) faults.push(fault(['sort'], 'maxItems', 'must name at most 5 properties', text))
  if (!parts.some(each => /^[-+]?id$/i.test(each)))
    keys.push({ type: 'uuid', value: raw('t.id'), nullable: false, descending: keys.at(-1)?.descending ?? false })
  return keys
}

export function sortableColumn(
  columns: ReadonlyMap<string, Column>,
  name: string,
  sparse: readonly string[] = [],
): (Sortable & { nullable: boolean }) | undefined {
  const column = columns.get(name.toLowerCase())
  if (!column || column.type === 'jsonb' || column.type.endsWith('[]')) return undefined
  const known = { type: column.type, value: columnValue(column), nullable: nullable(column) }
  if (!sparse.includes(column.property)) return known
  // A number that few records have is 0 in the others.
  const empty = known.nullable && column.type !== 'numeric' ? null : plainDefault(column)
  return { ...known, sparse: { empty } }
}

export function columnValue({ column }: Column): Sql {
  return sql`t.${name(column)}`
}

function nullable({ type, property }: Column): boolean {
  return /^(timestamptz|date|uuid|numeric|decimal)$/.test(type) && !/^(id|(created|updated)(By)?)$/.test(property)
}
