import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { name, sql } from '../../kernel/sql.ts'
import type { TextPlace } from '../../language/conditions/conditions.ts'
import { hasAny } from '../../language/conditions/operators/text-match.ts'
import { type RelatedName, relatedNames } from '../vocabulary/related-names.ts'

const maxFound = 200

/**
 * Returns the records whose name has one of the words: the users, customers, containers or areas of items. There are far
 * fewer of them than items, so their names are read before the items. Undefined if very many have such a name.
 */
export async function recordsNamed(
  ctx: Context,
  path: RelatedName,
  words: string[],
  place: TextPlace,
): Promise<Id[] | undefined> {
  const { table, column } = relatedNames[path]
  const text = { kind: 'text' as const, value: sql`o.${name(column)}` }
  const rows = await ctx.sql<{ id: Id }>`select o.id from ${name(table)} o
    where o.tenant_id = ${ctx.caller.tenantId} and ${hasAny(text, words, place)} limit ${maxFound + 1}`
  return rows.length > maxFound ? undefined : rows.map(({ id }) => id)
}
