import { generateNKeysBetween } from 'fractional-indexing'

// A rank is a text, so that there is always another rank between any two. In the notation of `fractional-indexing` the
// first letter encodes the number of digits of the integer part, and the rest is a fraction.

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The rank of a new item: last, from its creation time and its number, so that the last rank need not be read. */
export function rankOfNew(now: Date, number: number): string {
  return `g${base62(now.getTime(), 7)}${base62(number, 3)}V`
}

/** Returns `count` ordered ranks between two others, of which null means the start or the end; undefined if there is no room. */
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
    return undefined // one of the two is not a valid rank; imports may contain such
  }
}

/** Longer ranks would still sort correctly, but replies and indexes contain them; the ranks around them are redistributed instead. */
const maxRankLength = 40

/** The last digits of a number in base 62. */
function base62(value: number, places: number): string {
  let made = ''
  for (let rest = value; made.length < places; rest = Math.floor(rest / 62)) made = (digits[rest % 62] ?? '0') + made
  return made
}
