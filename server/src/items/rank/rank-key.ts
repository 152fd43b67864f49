import { generateNKeysBetween } from 'fractional-indexing'

// Where an item stands among others is a text: between any two there is always another. In the notation of
// `fractional-indexing` the first letter says how many digits the whole number has, the rest is a fraction.

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Where a new item stands: last, by the moment and the number it was made with. Nobody has to look who was last before. */
export function rankOfNew(now: Date, number: number): string {
  return `g${base62(now.getTime(), 7)}${base62(number, 3)}V`
}

/** So many ranks between two others, in their order; nothing is the very beginning or the very end. None if there is no room. */
export function ranksBetween(
  before: string | null,
  after: string | null,
  count: number,
  maxLength = maxRankLength,
): string[] | undefined {
  if (before !== null && after !== null && before >= after) return undefined
  try {
    const made = generateNKeysBetween(before, after, count)
    return made.every(each => each.length <= maxLength) ? made : undefined
  } catch {
    return undefined // one of the two is no rank: it came from elsewhere
  }
}

/** Longer ones would be no harm to the order, but to whoever reads them; the room around them is made anew instead. */
const maxRankLength = 40

/** The last places of a number. */
function base62(value: number, places: number): string {
  let made = ''
  for (let rest = value; made.length < places; rest = Math.floor(rest / 62)) made = (digits[rest % 62] ?? '0') + made
  return made
}
