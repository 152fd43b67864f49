import { type Fault, fault } from '../../kernel/refusal.ts'
import { codeTableOfCodes } from '../../records/code-table.ts'

/** The codes of `fromHalf` and `toHalf`: which part of the day is free. */
export const dayHalf = { whole: 0, morning: 1, afternoon: 2 } as const
export const dayHalves = codeTableOfCodes('leave.half', dayHalf)

/** From one day to another, both included; without an end until further notice. */
export interface LeaveSpan {
  from: string
  to: string | null
  fromHalf: number
  toHalf: number
}

const halves: readonly number[] = Object.values(dayHalf)

/** Reports a leave that ends before it begins, or whose half days are wrong. */
export function spanFaults(span: LeaveSpan): Fault[] {
  const { from, to } = span
  const range = to !== null && to < from ? [fault(['to'], 'range', 'must not be before from', to)] : []
  return [...range, ...halfFaults(span)]
}

/** Reports half days that are unknown, or that leave a gap inside of the leave. */
export function halfFaults(
  { from, to, fromHalf, toHalf }: LeaveSpan,
  path: readonly (string | number)[] = [],
): Fault[] {
  const faults = Object.entries({ fromHalf, toHalf }).flatMap(([property, value]) =>
    halves.includes(value) ? [] : [fault([...path, property], 'enum', 'must be 0, 1 or 2', value)],
  )
  const refuse = (property: 'fromHalf' | 'toHalf', message: string, value: number) =>
    faults.push(fault([...path, property], 'half', message, value))
  if (faults.length > 0) return faults
  if (from === to) {
    if (toHalf !== dayHalf.whole && toHalf !== fromHalf)
      refuse('toHalf', 'must be fromHalf or 0 for a single day', toHalf)
    return faults
  }
  if (fromHalf === dayHalf.morning) refuse('fromHalf', 'must be 0 or 2 if the leave has more than one day', fromHalf)
  if (toHalf === dayHalf.afternoon || (to === null && toHalf !== dayHalf.whole))
    refuse('toHalf', 'must be 0, or 1 on the last of several days', toHalf)
  return faults
}

/** The part of a day that a leave takes; undefined if the day is not in it. */
function halfOn({ from, to, fromHalf, toHalf }: LeaveSpan, date: string): number | undefined {
  if (date < from || (to !== null && date > to)) return undefined
  if (date === from) return fromHalf
  return date === to ? toHalf : dayHalf.whole
}

/** Whether one of the leaves takes the morning of a day, or its afternoon. */
export function isAwayAt(spans: readonly LeaveSpan[], date: string, isAfternoon: boolean): boolean {
  const half = isAfternoon ? dayHalf.afternoon : dayHalf.morning
  return spans.some(span => {
    const taken = halfOn(span, date)
    return taken === dayHalf.whole || taken === half
  })
}

/** The part of an amount of a day that several leaves take: a morning is half of it, rounded down, an afternoon the rest. */
export function takenOn(spans: readonly LeaveSpan[], date: string, amount: number): number {
  const morning = Math.floor(amount / 2)
  const taken = spans.reduce((sum, span) => {
    switch (halfOn(span, date)) {
      case undefined:
        return sum
      case dayHalf.morning:
        return sum + morning
      case dayHalf.afternoon:
        return sum + amount - morning
      default:
        return sum + amount
    }
  }, 0)
  return Math.min(amount, taken)
}
