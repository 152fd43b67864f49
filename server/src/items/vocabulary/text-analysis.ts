import { type Field, isSeveral } from '../../containers/field/field.ts'
import { keyCandidates } from '../../containers/key-parts.ts'
import type { RelatedRecords } from '../../containers/related-names.ts'
import { type TitleQuery, titleIds } from '../../containers/title-parts.ts'
import type { Id } from '../../kernel/id.ts'
import { sql } from '../../kernel/sql.ts'
import type { Path, TextPlace } from '../../language/conditions/conditions.ts'
import { partArguments, partRows, rareOf } from '../../language/search/name-parts.ts'
import type { RareParts } from '../../language/search/search.ts'
import type { Matching } from '../text-match.ts'

/** A text of items whose parts are found by an index: the title, the key, or a custom field by its id. */
export type IndexedText = 'title' | 'key' | Id

const plainTexts: ReadonlySet<Field['fieldType']> = new Set(['text', 'longText', 'url', 'sku'])

/** Whether a field has one text, which `item_value` has as well, but for what is cut off. */
export function isIndexedText(field: Field): boolean {
  return plainTexts.has(field.fieldType) && !isSeveral(field)
}

/** What is known about the texts that the conditions of a query look for, so that each is found in the faster way. */
export interface TextAnalysis {
  /** The search texts; others are matched word by word. */
  searches: ReadonlyMap<string, Matching>
  /** The parts of each text that few items have; others are looked for in the items themselves. */
  rareIn: ReadonlyMap<IndexedText, RareParts>
  /** The queries of the word index that find the parts of descriptions which few items have, by `describedKey`. */
  described: ReadonlyMap<string, readonly string[]>
  /** The records with names that are looked for. */
  related: RelatedRecords
  /** The query of a list by one part of titles alone. */
  titles?: TitleQuery | undefined
}

/** For conditions on single items, which no index finds faster. */
export const unanalysed: TextAnalysis = {
  searches: new Map(),
  rareIn: new Map(),
  described: new Map(),
  related: new Map(),
}

/** The items (`t`) with one of the words in a text, if all of the words are rare there. */
export function candidatesIn(indexed: IndexedText, { rareIn, titles }: TextAnalysis): Path['candidates'] {
  const rare = rareIn.get(indexed)
  if (!rare || rare.size === 0) return undefined
  return (words, place) => {
    const found = rareOf(rare, words)
    if (!found) return undefined
    if (indexed === 'key') return keyCandidates(words, place)
    const values = sql`select item_value_ids(${indexed}::uuid, ${partArguments(place)}) from ${partRows(found)}`
    // An array instead of a join: for a join the planner estimates the number of items, and may read all of them.
    return sql`t.id = any(array(${indexed === 'title' ? titleIds(found, place, titles) : values}))`
  }
}

export function describedKey(word: string, place: TextPlace): string {
  return `${place} ${word}`
}

/** The items (`t`) whose descriptions may have one of the words, if the index finds all of the words. */
export function describedCandidates({ described }: TextAnalysis): Path['candidates'] {
  if (described.size === 0) return undefined
  return (words, place) => {
    const found = words.map(word => described.get(describedKey(word, place)))
    const queries = [...new Set(found.flatMap(each => each ?? []))]
    if (found.includes(undefined)) return undefined
    return sql`t.id = any(array(select item_search_ids(q::tsquery, null) from unnest(${queries}::text[]) q))`
  }
}
