import { type Column, instantText } from '../../kernel/record/columns.ts'
import { name, type Sql, sql } from '../../kernel/sql.ts'

/** The value of a property as replies show it. */
export function shown({ column, type }: Column, alias: Sql): Sql {
  const source = sql`${alias}.${name(column)}`
  if (type === 'timestamptz') return instantText(source)
  if (type === 'uuid') return sql`coalesce(${source}::text, '')`
  return source
}
