/**
 * Splits a whole number in proportion to weights, so that the parts sum to it: each part is cut off, and what is left goes one by
 * one to the largest remainders, of equal ones to the first. The parts of a negative number are the negative parts of the
 * positive one, so that a correction cancels what it corrects.
 */
export function splitByLargestRemainder(total: bigint, weights: readonly bigint[]): bigint[] {
  if (total < 0n) return splitByLargestRemainder(-total, weights).map(part => -part)
  const sum = weights.reduce((all, weight) => all + weight, 0n)
  if (sum <= 0n) throw new Error('weights must have a positive sum')
  const shares = weights.map((weight, place) => ({
    place,
    part: (total * weight) / sum,
    rest: (total * weight) % sum,
  }))
  const left = total - shares.reduce((all, { part }) => all + part, 0n)
  const byRest = [...shares].sort((a, b) => (a.rest === b.rest ? a.place - b.place : a.rest > b.rest ? -1 : 1))
  for (const share of byRest.slice(0, Number(left))) share.part++
  return shares.map(({ part }) => part)
}
