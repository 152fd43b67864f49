// How well a text fits what somebody types, without the service.

/** Without case and accents: `Müller` is found by `muller`. */
export const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** 0 if it does not fit; the beginning counts more than a word, a word more than a part, a part more than letters in order. */
export function fit(needle: string, text: string): number {
  const wanted = folded(needle.trim())
  const given = folded(text)
  if (wanted === '') return 1
  if (given === wanted) return 6
  if (given.startsWith(wanted)) return 5
  const words = wanted.split(/\s+/)
  const starts = given.split(/[\s\-_/.:,]+/)
  if (words.every(word => starts.some(start => start.startsWith(word)))) return 4
  if (given.includes(wanted)) return 3
  if (words.every(word => given.includes(word))) return 2
  return wanted.length > 2 && initialsOf(starts).startsWith(wanted) ? 1 : 0
}

const initialsOf = (words: readonly string[]) => words.map(([first = '']) => first).join('')

/** The best first; what fits equally stays in its order. */
export function ranked<T>(needle: string, all: readonly T[], textOf: (each: T) => string, most: number): T[] {
  return all
    .map(each => ({ each, score: fit(needle, textOf(each)) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ each }) => each)
}

/** Words that are known and nearly what was typed: at most two letters are other ones. */
export function nearWords(needle: string, texts: Iterable<string>, most = 3): string[] {
  const wanted = folded(needle.trim())
  if (wanted.length < 3) return []
  const allowed = wanted.length < 5 ? 1 : 2
  const near = new Map<string, number>()
  for (const text of texts)
    for (const word of text.split(/[^\p{L}\p{N}]+/u)) {
      if (Math.abs(word.length - wanted.length) > allowed || word.length < 3) continue
      const apart = distance(wanted, folded(word))
      if (apart > 0 && apart <= allowed) near.set(word.toLowerCase(), apart)
    }
  return [...near]
    .toSorted(([, one], [, other]) => one - other)
    .slice(0, most)
    .map(([word]) => word)
}

/** The number of letters to add, drop, change or swap. */
export function distance(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const change = (last[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      row[j] = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, change)
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        row[j] = Math.min(row[j] ?? 0, (before[j - 2] ?? 0) + 1)
    }
    before = last
    last = row
  }
  return last[other.length] ?? 0
}

/** A text in parts; those that were looked for are marked. */
export interface Part {
  text: string
  marked: boolean
}

/** Marks the words of a needle in a text of ours. */
export function markedParts(text: string, needle: string): Part[] {
  const words = needle.trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [{ text, marked: false }]
  const pattern = new RegExp(`(${words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'giu')
  return text.split(pattern).flatMap((part, at) => (part ? [{ text: part, marked: at % 2 === 1 }] : []))
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'", '#x27': "'" }

/** The parts of a snippet of the service: escaped text with `<mark>` around what was found. */
export function snippetParts(snippet: string): Part[] {
  return snippet.split(/<\/?mark>/).flatMap((part, at) => {
    const text = part.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
    return text ? [{ text, marked: at % 2 === 1 }] : []
  })
}
