import { type Fault, fault, Invalid } from '../refusal.ts'

/** A whole number of the query between two bounds; undefined if it is absent or wrong. Without `faults` a wrong one is refused at once. */
export function readWhole(name: string, given: unknown, least: number, most: number, faults?: Fault[]) {
  if (given === undefined) return undefined
  const value = /^-?\d{1,10}$/.test(String(given)) ? Number(given) : Number.NaN
  if (value >= least && value <= most) return value
  const wrong = fault([name], 'range', `must be a whole number from ${least} to ${most}`, given)
  if (!faults) throw new Invalid([wrong], 'the query is not valid')
  faults.push(wrong)
  return undefined
}
