import type { Id } from '../kernel/id.ts'
import { own } from '../kernel/own.ts'
import { ownTenant, raw, type Sql, sql } from '../kernel/sql.ts'
import { type TextPlace, textPlaces } from '../language/conditions/conditions.ts'
import { partArguments, partRows } from '../language/search/name-parts.ts'
import type { RareParts } from '../language/search/search.ts'

// Parts of the titles of items. A list that asks for nothing else is read in the order of its page, and counted without a look at the items.

/** What a caller sees of the items, whatever else these have: all in other containers, with one of the visibilities. */
export interface SeenTitles {
  closed: readonly Id[]
  visibilities: readonly number[]
}

/** A list of items by one part of their titles. */
export interface TitleQuery {
  word: string
  place: TextPlace
  seen: SeenTitles
  counted: boolean
  /** The number of items that the page shows, and one more; undefined if it does not begin with the first or the last id. */
  most: number | undefined
  descending: boolean
}

const paging = ['limit', 'cursor', 'sort', 'fields', 'count']

/** Reads the parameters of a list that has one part of titles as its only filter. */
export function titleQuery(parameters: Record<string, unknown>, seen: SeenTitles | undefined): TitleQuery | undefined {
  const { limit, cursor, sort = '', count } = parameters
  const [filter, ...more] = Object.entries(parameters).filter(([key]) => !paging.includes(key))
  const [, operator = ''] = /^title\[(\w+)\]$/.exec(filter?.[0] ?? '') ?? []
  const [place, word] = [own(textPlaces, operator), String(filter?.[1]).trim()]
  if (!seen || !place || more.length > 0 || word === '' || word.includes(',')) return undefined
  const order = /^([-+]?)(id)?$/.exec(String(sort))
  const isFirst = order !== null && cursor === undefined && count !== 'estimate' && /^\d{1,4}$/.test(String(limit))
  const most = isFirst ? Number(limit) + 1 : undefined
  return { word, place, seen, counted: count === 'exact', most, descending: order?.[1] === '-' }
}

/** The ids of the items with one of the parts. */
export function titleIds(rare: RareParts, place: TextPlace, query: TitleQuery | undefined): Sql {
  // With a hit in the sample there may be so many items that it pays to look for the first ones.
  const isMany = [...rare.values()].some(each => each.hits > 0)
  if (!query?.most || !isMany) return sql`select item_title_ids(${partArguments(place)}) from ${partRows(rare)}`
  const { seen, descending, most } = query
  const first = sql`(select s.id from item_title s where s.tenant_id = ${ownTenant} order by s.id ${raw(descending ? 'desc' : 'asc')} limit 1)`
  return sql`select item_title_page(${partArguments(place)}, ${seen.closed}::uuid[], ${seen.visibilities}::int[], ${first}, ${descending}, ${most}) from ${partRows(rare)}`
}

/** The number of items with the part, of those that are seen whatever else they have. */
export function titleCount({ word, place, seen }: TitleQuery, rare: RareParts): Sql {
  const known = new Map([[word, rare.get(word) ?? { triples: [], hits: 0 }]])
  return sql`(select item_title_count(${partArguments(place)}, ${seen.closed}::uuid[], ${seen.visibilities}::int[]) from ${partRows(known)})`
}
