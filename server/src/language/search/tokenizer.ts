// What a word is, here as in the database (`searched` in the migrations): folded, and between separators.

const separators = '\\x00-\\x2f:-@[-`{-\\u00bf\\u2000-\\u206f\\u2e00-\\u2e7f\\u3000-\\u303f\\uff00-\\uff0f'
const between = new RegExp(`[${separators}]+`)
const runs = new RegExp(`[^${separators}]+`, 'g')

/** Text without its case and its accents. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
}

/** The words of a text, folded, in their order. */
export function wordsOf(text: string): string[] {
  return folded(text).split(between).filter(Boolean)
}

/** Where the words of a text stand, as they are written. */
export function wordPlaces(text: string): { at: number; text: string }[] {
  return [...text.matchAll(runs)].map(match => ({ at: match.index, text: match[0] }))
}
