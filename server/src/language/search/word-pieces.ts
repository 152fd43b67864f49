import { folded } from '../folded.ts'

/** A piece of a text that lies within one word: at its beginning, at its end, at both, or anywhere in it. */
export interface WordPiece {
  text: string
  begins: boolean
  ends: boolean
}

/** Characters that PostgreSQL's parser does not separate from each other, whichever locale the database has. */
const runs = /(?:(?=\p{L})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]|[0-9])+/gu
const separator = /[\0-/:-@[-`{-\x7f]/

/**
 * Splits a part of a text into pieces of words. Whatever contains the part has a word for each piece that contains the
 * piece at its place. `start` and `end` tell that the part is at the start or the end of the text.
 */
export function wordPieces(part: string, start: boolean, end: boolean): WordPiece[] {
  const text = folded(part)
  const isEdge = (character: string | undefined, outer: boolean) =>
    character === undefined ? outer : separator.test(character)
  return [...text.matchAll(runs)].flatMap(({ 0: run, index }) => {
    const begins = isEdge(text[index - 1], start)
    const ends = isEdge(text[index + run.length], end)
    const rest = withoutNumber(run)
    return [{ text: rest, begins: begins && rest === run, ends }]
  })
}

/** The parser splits `1e3abc` into a number and a word, and in the middle of a word we do not know where a number begins. */
function withoutNumber(run: string): string {
  return run.replace(/^[0-9]+(?=[^0-9])/, '').replace(/^e[0-9]+(?=[^0-9])/, '')
}
