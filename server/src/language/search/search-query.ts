import { type Sql, sql } from '../../kernel/sql.ts'
import { wordsOf } from './tokenizer.ts'

/** One thing that is looked for: a word, or several in this order. */
export interface SearchTerm {
  words: string[]
  /** It must not be there. */
  not: boolean
  /** Meant exactly as it is written. */
  quoted: boolean
  /** Somebody may still be typing it: it is the beginning of a word. */
  open: boolean
}

/** What somebody looks for: all terms of one of the groups. */
export type SearchQuery = SearchTerm[][]

const longest = 400
const maxTerms = 20
/** A beginning shorter than this would open half of the dictionary. */
const shortestOpen = 3

/** Reads what people type into a search box: `printer "floor 3" -toner or scanner`. Any text at all is a question. */
export function parseSearchQuery(text: string): SearchQuery {
  const asked = text.slice(0, longest)
  const groups: SearchQuery = [[]]
  let count = 0
  for (const { 0: whole, groups: parts, index } of asked.matchAll(
    /(?<not>-?)(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/g,
  )) {
    if (parts?.word !== undefined && /^or$/i.test(whole)) {
      groups.push([])
      continue
    }
    const words = wordsOf(parts?.phrase ?? parts?.word ?? '')
    if (words.length === 0 || ++count > maxTerms) continue
    const quoted = parts?.phrase !== undefined
    const last = words.at(-1) ?? ''
    const isLast = index + whole.length === asked.length
    const open = isLast && !quoted && parts?.not === '' && last.length >= shortestOpen && /[^0-9]/.test(last)
    groups.at(-1)?.push({ words, not: parts?.not === '-', quoted, open })
  }
  // What is only ever excluded finds nothing: else it would find nearly everything.
  return groups.filter(group => group.some(term => !term.not))
}

/** What else a term may mean, by its words: neighbours of a word that may be mistyped, other names. */
export type Neighbours = ReadonlyMap<string, readonly string[]>

export const noNeighbours: Neighbours = new Map()

/** The question as PostgreSQL takes it, worked out once a statement. `positive` leaves out what must not be there. */
export function tsquery(question: SearchQuery, near: Neighbours = noNeighbours, positive = false): Sql {
  const groups = question.map(group =>
    group
      .filter(term => !positive || !term.not)
      .map(term => (term.not ? sql`(!! ${termQuery(term, near)})` : termQuery(term, near)))
      .reduce((all, each) => sql`${all} && ${each}`),
  )
  return groups.length === 0
    ? sql`(''::tsquery)`
    : sql`(select ${groups.reduce((all, each) => sql`${all} || ${each}`)})`
}

function termQuery(term: SearchTerm, near: Neighbours): Sql {
  const itself = sql`search_term(${term.words.join(' ')}, ${term.open})`
  const others = similarTo(term, near)
  if (others.length === 0) return itself
  return sql`(${itself} || ${others.map(each => sql`search_term(${each}, false)`).reduce((all, each) => sql`${all} || ${each}`)})`
}

function similarTo({ words }: SearchTerm, near: Neighbours): readonly string[] {
  return near.get(words.join(' ')) ?? []
}

/** The words that may have been mistyped: each stands alone, is meant, and is long enough to have neighbours. */
export function typedWords(question: SearchQuery): string[] {
  return question
    .flat()
    .flatMap(({ words: [word = '', ...more], not, quoted }) =>
      not || quoted || more.length > 0 || word.length < 4 || /\d/.test(word) ? [] : [word],
    )
}

/** Whether a word of a text is one of those that were looked for. */
export function hitMatcher(question: SearchQuery, near: Neighbours): (word: string) => boolean {
  const meant = question.flat().filter(term => !term.not)
  const words = new Set(meant.flatMap(term => [...term.words, ...similarTo(term, near)]))
  const beginnings = meant.flatMap(term => (term.open ? [term.words.at(-1) ?? ''] : []))
  return word => words.has(word) || beginnings.some(each => word.startsWith(each))
}
