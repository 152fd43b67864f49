import { type Sql, sql } from '../../kernel/sql.ts'

/**
 * Whether the row that this finds by its id is there (`from … where …`). Inside of `or` and `case` PostgreSQL would plan an `exists` twice, once to look
 * for each row and once to read all rows, and an `exists` within another four times.
 */
export function isThere(row: Sql): Sql {
  return sql`coalesce((select true ${row}), false)`
}
