import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import type { TextPlace } from '../language/conditions/conditions.ts'
import { namedIds, rareNames, rareOf } from '../language/search/name-parts.ts'
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
  const found = rareOf(await rareNames(ctx, table, column, words), words)
  if (!found) return undefined
  const rows = await ctx.sql<{
    id: Id
  }>`${namedIds(`${table}.${column}`, found, place, maxFound + 1)} limit ${maxFound + 1}`
  return rows.length > maxFound ? undefined : rows.map(({ id }) => id)
}
