import { sql } from '../../kernel/sql.ts'
import type { Path } from '../../language/conditions/conditions.ts'
import type { Matching } from '../text-match.ts'

/** What is known about the texts that the conditions of a query look for, so that each is found in the faster way. */
export interface TextAnalysis {
  /** The search texts; others are matched word by word. */
  searches: ReadonlyMap<string, Matching>
  /** The texts that few titles contain; others are looked for in the titles themselves. */
  rareInTitles: ReadonlySet<string>
}

/** For conditions on single items, which no index finds faster. */
export const unanalysed: TextAnalysis = { searches: new Map(), rareInTitles: new Set() }

/** The items (`t`) whose titles contain one of the words, if all of them are rare. */
export function titleCandidates({ rareInTitles }: TextAnalysis): Path['candidates'] {
  if (rareInTitles.size === 0) return undefined
  return (words, place) => {
    if (!words.every(word => rareInTitles.has(word))) return undefined
    // An array instead of a join: for a join the planner estimates the number of items, and may read all of them.
    return sql`t.id = any(array(select item_title_ids(w, ${place === 'start'}, ${place === 'end'}) from unnest(${words}::text[]) w))`
  }
}
