import { type Sql, sql } from '../../kernel/sql.ts'
import { wordsOf } from './tokenizer.ts'

/** One search term: a word, or a phrase. */
interface SearchTerm {
  words: string[]
  /** The term is excluded. */
  not: boolean
  /** The term is quoted and matches exactly. */
  quoted: boolean
  /** The term may be unfinished, so it matches as a prefix. */
  open: boolean
}

/** A parsed query: all terms of at least one group must match. */
export type SearchQuery = SearchTerm[][]

const longest = 400
const maxTerms = 20
/** A shorter prefix would match half of the dictionary. */
const shortestOpen = 3

/** Parses the text of a search box: `printer "floor 3" -toner or scanner`. Every text is a valid query. */
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
  // A group of exclusions only finds nothing, because it would otherwise match nearly everything.
  return groups.filter(group => group.some(term => !term.not))
}

/** Alternatives of a term, by its words: similar words for one that may be mistyped, and synonyms. */
export type Neighbours = ReadonlyMap<string, readonly string[]>

export const noNeighbours: Neighbours = new Map()

/** The query as a `tsquery`, evaluated once per statement. `positive` omits the excluded terms. */
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

/** The words that may be mistyped: single, not quoted or excluded, and long enough to have similar words. */
export function typedWords(question: SearchQuery): string[] {
  return question
    .flat()
    .flatMap(({ words: [word = '', ...more], not, quoted }) =>
      not || quoted || more.length > 0 || word.length < 4 || /\d/.test(word) ? [] : [word],
    )
}

/** Tells whether a word of a text matches one of the terms. */
export function hitMatcher(question: SearchQuery, near: Neighbours): (word: string) => boolean {
  const meant = question.flat().filter(term => !term.not)
  const words = new Set(meant.flatMap(term => [...term.words, ...similarTo(term, near)]))
  const beginnings = meant.flatMap(term => (term.open ? [term.words.at(-1) ?? ''] : []))
  return word => words.has(word) || beginnings.some(each => word.startsWith(each))
}
