import { type Sql, sql } from '../../../kernel/sql.ts'
import { readPattern } from '../pattern/pattern.ts'
import { literalIn } from '../pattern/pattern-literal.ts'
import type { Path, SingleValue, TextPlace } from '../vocabulary.ts'
import type { ConditionOperator } from './operators.ts'

/** Folds a text: two texts are compared without case and accents. */
export function fold(text: Sql): Sql {
  return sql`fold((${text})::text)`
}

/** The words are folded once per statement, not once per row. */
export function foldAll(words: string[]): Sql {
  return sql`array(select fold(condition_word) from unnest(${words}::text[]) as condition_word)`
}

/** The maximum length of the longest word after folding: one character becomes at most eighteen. */
export function longestFolded(words: readonly string[]): number {
  return 18 * Math.max(0, ...words.map(word => word.length))
}

/** Where each operator looks for its words. */
export const textPlaces: Partial<Record<ConditionOperator, TextPlace>> = {
  contains: 'anywhere',
  startsWith: 'start',
  endsWith: 'end',
}

export type SearchedText = SingleValue & Pick<Path, 'candidates'>

// Functions are used instead of LIKE, because folding can turn another character into a `%`.
const holds: Record<TextPlace, (text: Sql, word: Sql) => Sql> = {
  anywhere: (text, word) => sql`strpos(${text}, ${word}) > 0`,
  start: (text, word) => sql`starts_with(${text}, ${word})`,
  end: (text, word) => sql`right(${text}, length(${word})) = ${word}`,
}

/** The text has one of the words at the place; an index may find the candidates, whose texts are then compared. */
export function hasAny(path: SearchedText, words: string[], place: TextPlace): Sql {
  const candidates = path.candidates?.(words, place)
  const exact = compared(path, words, place)
  return candidates ? sql`(${candidates} and ${exact})` : exact
}

/**
 * The text matches the pattern. A pattern ignores case but not accents, because it names its characters. The length limit bounds
 * the work for one row.
 */
export function hasPattern(path: SearchedText, pattern: string): Sql {
  const matched = sql`(left((${path.value})::text, 65536) ~* ${readPattern(pattern)}::text)`
  const literal = literalIn(pattern)
  const candidates = literal && path.candidates?.([literal], 'anywhere')
  return candidates ? sql`(${candidates} and ${matched})` : matched
}

function compared(path: SingleValue, words: string[], place: TextPlace): Sql {
  const [word, ...more] = words
  const text = path.precomputed ? path.value : fold(path.value)
  if (word !== undefined && more.length === 0) return sql`(${holds[place](text, fold(sql`${word}`))})`
  return sql`exists (select from (select ${text} as text offset 0) as condition_left,
    unnest(${foldAll(words)}) as condition_right(word)
    where ${holds[place](sql`condition_left.text`, sql`condition_right.word`)})`
}
