import { folded } from '../folded.ts'

// Words are folded and delimited by separators, exactly as in the database (`searched` in the migrations).

const separators = '\\x00-\\x2f:-@[-`{-\\u00bf\\u2000-\\u206f\\u2e00-\\u2e7f\\u3000-\\u303f\\uff00-\\uff0f'
const between = new RegExp(`[${separators}]+`)
const runs = new RegExp(`[^${separators}]+`, 'g')

/** The folded words of a text, in order. */
export function wordsOf(text: string): string[] {
  return folded(text).split(between).filter(Boolean)
}

/** The positions of the words of a text, in their original spelling. */
export function wordPlaces(text: string): { at: number; text: string }[] {
  return [...text.matchAll(runs)].map(match => ({ at: match.index, text: match[0] }))
}
