import { quotient } from '../../language/decimal.ts'
import { type Period, periodOn, periodsBetween } from './budget-period.ts'

// What a budget holds, computed from its ledger. Amounts are units of 10⁻⁴: minutes, or money.

/** Approved changes of a budget on one day. A recurring one counts in its period and in every later one. */
export interface Grant {
  date: string
  recurring: boolean
  delta: bigint
}

interface Ledger {
  period: number
  from: string | null
  to: string | null
  rollover: boolean
}

/** What was granted in the period of a day. */
export function grantedIn(budget: Ledger, grants: readonly Grant[], day: string): bigint {
  const { from, to } = periodOn(budget, day)
  return sum(
    grants
      .filter(each => isUntil(each, to) && (each.recurring || from === null || each.date >= from))
      .map(each => each.delta),
  )
}

/** What was granted in all periods before that of a day. */
export function grantedBefore(budget: Ledger, grants: readonly Grant[], day: string): bigint {
  const { from } = periodOn(budget, day)
  if (from === null) return 0n
  return sum(
    grants
      .filter(each => each.date < from)
      .map(({ date, recurring, delta }) =>
        recurring ? delta * BigInt(periodsBetween(budget.period, date, from)) : delta,
      ),
  )
}

/** The first day whose use counts against what is carried over. */
export function firstCarried({ from, period }: Ledger, grants: readonly Grant[]): string | null {
  const [first] = grants.map(each => each.date).sort()
  return from ?? (first ? periodOn({ period, from: null, to: null }, first).from : null)
}

function isUntil({ date }: Grant, to: Period['to']): boolean {
  return to === null || date <= to
}

/** Percent of an amount that is used, in units; null where there is nothing to use. */
export function usedPercent(used: bigint, current: bigint): bigint | null {
  return current > 0n ? quotient(used * 100n, current) : null
}

/** The thresholds that the use has reached, in ascending order. */
export function reached(alertAt: readonly number[], used: bigint, current: bigint): number[] {
  if (current <= 0n) return []
  return [...new Set(alertAt)].filter(each => used * 100n >= BigInt(each) * current).sort((a, b) => a - b)
}

/** What will have been used at the end: what is planned firmly or what remains to be done, whichever is more. */
export function forecastOf(actual: bigint, committed: bigint, remaining: bigint): bigint {
  return actual + (committed > remaining ? committed : remaining)
}

const sum = (all: readonly bigint[]) => all.reduce((total, each) => total + each, 0n)
