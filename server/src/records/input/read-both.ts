import { type Fault, Invalid } from '../../kernel/refusal.ts'

/** Reads two parts of a body, and reports the faults of both at once. */
export function readBoth<A, B>(one: () => A, other: () => B): [A, B] {
  const faults: Fault[] = []
  const attempt = <T>(read: () => T): [T] | undefined => {
    try {
      return [read()]
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      faults.push(...error.faults)
      return undefined
    }
  }
  const [first, second] = [attempt(one), attempt(other)]
  if (!first || !second) throw new Invalid(faults)
  return [...first, ...second]
}
