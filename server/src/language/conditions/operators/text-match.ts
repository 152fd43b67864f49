import { type Sql, sql } from '../../../kernel/sql.ts'
import type { SingleValue } from '../vocabulary.ts'

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

/** The text contains one of the words; `shortcut` is the faster test of the vocabulary. */
export function containsAny(path: SingleValue, words: string[], shortcut?: (words: Sql) => Sql): Sql {
  if (shortcut) return sql`(${shortcut(foldAll(words))})`
  return holdsFor(path, words, (text, word) => sql`strpos(${text}, ${word}) > 0`)
}

export function startsWithAny(path: SingleValue, words: string[]): Sql {
  return holdsFor(path, words, (text, word) => sql`starts_with(${text}, ${word})`)
}

export function endsWithAny(path: SingleValue, words: string[]): Sql {
  return holdsFor(path, words, (text, word) => sql`right(${text}, length(${word})) = ${word}`)
}

// Functions are used instead of LIKE, because folding can turn another character into a `%`.
function holdsFor(path: SingleValue, words: string[], holds: (text: Sql, word: Sql) => Sql): Sql {
  const [word, ...more] = words
  const text = path.precomputed ? path.value : fold(path.value)
  if (word !== undefined && more.length === 0) return sql`(${holds(text, fold(sql`${word}`))})`
  return sql`exists (select from (select ${text} as text offset 0) as condition_left,
    unnest(${foldAll(words)}) as condition_right(word)
    where ${holds(sql`condition_left.text`, sql`condition_right.word`)})`
}
