import { readFileSync } from 'node:fs'

/**
 * The passwords that people choose most often, folded by `fold`: those of twelve characters and more as they are, and of
 * the shorter ones the words that remain without the digits and signs around them. Taken from the lists "100k most used
 * passwords" of the NCSC and others that SecLists (MIT) collects.
 */
export function isCommon(folded: string): boolean {
  list ??= new Set(readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n'))
  return folded !== '' && list.has(folded)
}

// The list is read when the first password is set, because most processes never need it.
let list: ReadonlySet<string> | undefined

/** Returns the form in which passwords, names and addresses are compared. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim()
}

/**
 * Returns the words that a padded text is made of: without digits and signs around it, once if it is repeated, without
 * separators, and with letters for the digits and signs that stand for them. `P@ssw0rd-P@ssw0rd99` is `password`.
 */
export function wordsOf(folded: string): string[] {
  const joined = folded.replace(/[\s._-]/g, '')
  const words = [folded, joined].map(each => once(each.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')))
  return [...new Set([...words, ...words.map(asLetters)])]
}

/** Returns the shortest text whose repetition begins with the given one: `abc` for `abcabcab`. */
export function once(text: string): string {
  const characters = [...text]
  const period = characters.findIndex(
    (_, i) => i > 0 && characters.every((each, k) => k < i || each === characters[k - i]),
  )
  return period > 0 && period * 2 <= characters.length ? characters.slice(0, period).join('') : text
}

const letters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
const asLetters = (word: string) => word.replace(/[013457@$!]/g, sign => letters[sign] ?? sign)
