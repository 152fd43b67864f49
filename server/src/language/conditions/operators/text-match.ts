import { type Sql, sql } from '../../../kernel/sql.ts'
import type { SingleValue } from '../vocabulary.ts'

/** Text without its case and its accents, as two texts are compared. */
export function fold(text: Sql): Sql {
  return sql`fold((${text})::text)`
}

/** Folded once for the statement, not once for each row. */
export function foldAll(words: string[]): Sql {
  return sql`array(select fold(condition_word) from unnest(${words}::text[]) as condition_word)`
}

/** How long the longest of the words can be when it is folded: one character becomes eighteen at most. */
export function longestFolded(words: readonly string[]): number {
  return 18 * Math.max(0, ...words.map(word => word.length))
}

/** The text has one of the words in it; `shortcut` is the vocabulary's own way to find out. */
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

// These are functions and not LIKE because folding can make a `%` out of a character that is not one.
function holdsFor(path: SingleValue, words: string[], holds: (text: Sql, word: Sql) => Sql): Sql {
  const [word, ...more] = words
  const text = path.precomputed ? path.value : fold(path.value)
  if (word !== undefined && more.length === 0) return sql`(${holds(text, fold(sql`${word}`))})`
  return sql`exists (select from (select ${text} as text offset 0) as condition_left,
    unnest(${foldAll(words)}) as condition_right(word)
    where ${holds(sql`condition_left.text`, sql`condition_right.word`)})`
}
