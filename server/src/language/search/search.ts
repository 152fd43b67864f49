import type { Context } from '../../kernel/context.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { neighbours, unknownWords } from './lexicon.ts'
import { type Neighbours, noNeighbours, type SearchQuery, typedWords } from './search-query.ts'

export { type Frequency, frequencyOf } from './frequency.ts'
export { forgetWords, noteWords } from './lexicon.ts'
export { type RareParts, rareParts } from './part-frequency.ts'
export { partQueries } from './part-words.ts'
export {
  hitMatcher,
  type Neighbours,
  noNeighbours,
  parseSearchQuery,
  type SearchQuery,
  tsquery,
  typedWords,
} from './search-query.ts'
export { snippet } from './snippet.ts'

/** Finds similar words for query words that the tenant has never used; `all` does so for every word. */
export async function similarWords(ctx: Context, question: SearchQuery, all = false): Promise<Neighbours> {
  const words = typedWords(question)
  const open = new Set(question.flat().flatMap(term => (term.open ? [term.words.at(-1) ?? ''] : [])))
  const doubtful = all ? words : await unknownWords(ctx, words, open)
  return doubtful.length === 0 ? noNeighbours : await neighbours(ctx, doubtful)
}

/** The indexed words of one record: its name, its text, and the rest. */
export function vector(title: Sql, body: Sql, more: Sql = raw(`''`)): Sql {
  return sql`search_vector(${title}, ${body}, ${more})`
}
