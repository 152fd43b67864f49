import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { name, sql } from '../kernel/sql.ts'
import type { TextPlace } from '../language/conditions/conditions.ts'
import { namedIds, rareOf } from '../language/search/name-parts.ts'
import { rareParts } from '../language/search/search.ts'
import { type RelatedName, relatedNames } from './related-names.ts'

const maxFound = 200

/**
 * Returns the records whose name has one of the words: the users, customers, containers or areas of items. There are far
 * fewer of them than items, so their names are looked for before the items. Undefined if very many have such a name.
 */
export async function recordsNamed(
  ctx: Context,
  path: RelatedName,
  words: string[],
  place: TextPlace,
): Promise<Id[] | undefined> {
  const { table, column } = relatedNames[path]
  const rare = await rareParts(ctx, { table, text: sql`fold(s.${name(column)})`, short: true, elsewhere: true }, words)
  const found = rareOf(rare, words)
  if (!found) return undefined
  const rows = await ctx.sql<{
    id: Id
  }>`${namedIds(`${table}.${column}`, found, place, maxFound + 1)} limit ${maxFound + 1}`
  return rows.length > maxFound ? undefined : rows.map(({ id }) => id)
}
