import type { Schema } from '../kernel/shape.ts'
import { name, type Sql, sql } from '../kernel/sql.ts'

/** Who reacted to what was said, and how: from the table of reactions, by the column that says to what. */
export function reacted(table: string, to: string) {
  return {
    schema: {
      type: 'object',
      description: 'Who reacted how: the ids of users by emoji.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    } satisfies Schema,
    value: (t: Sql) => sql`(select coalesce(json_object_agg(r.emoji, r.users), '{}') from (
      select r.emoji, json_agg(r.user_id order by r.at, r.user_id) as users from ${name(table)} r
      where r.tenant_id = ${t}.tenant_id and r.${name(to)} = ${t}.id group by r.emoji) r)`,
  }
}
