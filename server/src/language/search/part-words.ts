import type { Context } from '../../kernel/context.ts'
import { sql } from '../../kernel/sql.ts'
import { type WordPiece, wordPieces } from './word-pieces.ts'

/** A piece that more words contain is no help: the index of words would be asked for each of them. */
const maxWords = 2000
/** The index compares each record with all words of a query, so that several short queries cost less than a long one. */
const wordsInQuery = 64
/** Of a shorter piece all trigrams that begin with it are looked for, which are known for these characters; a shorter beginning may be that of too many words. */
const shortestPiece = 3
const isEnumerated = /^[a-z0-9]+$/

/** The mark of records that the index of words does not know completely (`long_word` in the migrations). */
const longText = "'longtext0'"

/**
 * Returns queries (`tsquery`) of which each record fulfils one whose text contains the part; undefined if the words of the
 * tenant do not tell. Records that fulfil one need not contain the part.
 */
export async function partQueries(
  ctx: Context,
  part: string,
  { start = false, end = false } = {},
): Promise<string[] | undefined> {
  const terms: string[][] = []
  for (const piece of wordPieces(part, start, end)) {
    const words = await wordsWith(ctx, piece)
    if (words) terms.push(words)
  }
  const [fewest, ...others] = terms.sort((a, b) => a.length - b.length)
  if (!fewest) return undefined
  const also = others.filter(each => each.length <= wordsInQuery).map(each => ` & (${each.join(' | ')})`)
  const queries = Array.from({ length: Math.ceil(fewest.length / wordsInQuery) }, (_, i) => {
    const words = fewest.slice(i * wordsInQuery, (i + 1) * wordsInQuery)
    return `(${words.join(' | ')})${also.join('')}`
  })
  return [...queries, longText]
}

/** The words that may contain a piece, as terms of a query; undefined if there are too many. */
async function wordsWith(ctx: Context, { text, begins, ends }: WordPiece): Promise<string[] | undefined> {
  if (begins && ends) return [term(text)]
  const isShort = text.length < shortestPiece
  if (isShort && !isEnumerated.test(text)) return undefined
  if (begins && !isShort) return [`${term(text)}:*`]
  const pattern = `${begins ? '' : '%'}${text}${ends ? '' : '%'}`
  const most = maxWords + 1
  const rows = await ctx.sql<{
    word: string
  }>`select ${isShort && !begins ? sql`words_with(${text}, ${most})` : sql`words_like(${pattern}, ${most})`} as word`
  return rows.length > maxWords ? undefined : [...new Set(rows.map(({ word }) => term(word)))]
}

function term(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
