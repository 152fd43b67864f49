import type { Id } from '../kernel/id.ts'
import { join, name, raw, type Sql, sql } from '../kernel/sql.ts'
import { items } from './item/item.ts'

// Many items are written by one statement: the rows are sent as JSON, which the statement splits into columns.

/** A column of the table of items, by its name and type. */
interface Kept {
  column: string
  type: string
}

/** Columns that are shown in another form or not at all. */
const hidden: readonly Kept[] = [
  { column: 'fields', type: 'jsonb' },
  { column: 'external_source', type: 'text' },
  { column: 'external_id', type: 'text' },
  { column: 'overdue_told', type: 'date' },
]

/** All columns of items, without those that every record has. */
export const itemColumns: readonly Kept[] = [...items.columns, ...hidden]

export const columnNames = (columns: readonly Kept[], alias?: Sql): Sql =>
  join(columns.map(({ column }) => (alias ? sql`${alias}.${name(column)}` : name(column))))

/** The column definitions that split the JSON: `w(id uuid, title text …)`. */
export const columnTypes = (columns: readonly Kept[]): Sql =>
  join(columns.map(({ column, type }) => sql`${name(column)} ${raw(type)}`))

/** An item's values, or some of them, under the names of their columns. */
export function rowOf(id: Id, values: Record<string, unknown>, columns = items.columns): Record<string, unknown> {
  const row: Record<string, unknown> = { id }
  for (const { property, column, type } of columns)
    row[column] = type === 'uuid' && values[property] === '' ? null : values[property]
  return row
}
