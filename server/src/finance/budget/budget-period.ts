import { Temporal } from 'temporal-polyfill'
import { codeTableOfCodes } from '../../records/code-table.ts'

// The periods of a budget. Periods that return are those of the calendar: weeks from Monday, months, quarters, years.

/** The codes of `period`. */
export const budgetPeriod = { once: 0, weekly: 1, monthly: 2, quarterly: 3, yearly: 4 } as const
export const budgetPeriods = codeTableOfCodes('budget.period', budgetPeriod)

/** Days from the first to the last one; null is open. */
export interface Period {
  from: string | null
  to: string | null
}

interface Periodic extends Period {
  period: number
}

const lengths: Readonly<Record<number, Temporal.DurationLike>> = {
  [budgetPeriod.weekly]: { days: 7 },
  [budgetPeriod.monthly]: { months: 1 },
  [budgetPeriod.quarterly]: { months: 3 },
  [budgetPeriod.yearly]: { years: 1 },
}

/** The period of a budget on a day, within the days of the budget. An unknown code is one period. */
export function periodOn({ period, from, to }: Periodic, day: string): Period {
  const length = lengths[period]
  if (!length) return { from, to }
  const inside = from && day < from ? from : to && day > to ? to : day
  const first = firstDay(period, Temporal.PlainDate.from(inside))
  const last = first.add(length).subtract({ days: 1 }).toString()
  return { from: from && from > first.toString() ? from : first.toString(), to: to && to < last ? to : last }
}

/** How many periods lie between the one of an earlier day and that of a later day; 0 within one period. */
export function periodsBetween(period: number, earlier: string, later: string): number {
  const [a, b] = [earlier, later].map(day => firstDay(period, Temporal.PlainDate.from(day)))
  if (!a || !b || !lengths[period]) return 0
  if (period === budgetPeriod.weekly) return a.until(b).days / 7
  const months = (b.year - a.year) * 12 + b.month - a.month
  return months / (period === budgetPeriod.monthly ? 1 : period === budgetPeriod.quarterly ? 3 : 12)
}

function firstDay(period: number, day: Temporal.PlainDate): Temporal.PlainDate {
  if (period === budgetPeriod.weekly) return day.subtract({ days: day.dayOfWeek - 1 })
  const month =
    period === budgetPeriod.yearly
      ? 1
      : period === budgetPeriod.quarterly
        ? day.month - ((day.month - 1) % 3)
        : day.month
  return day.with({ day: 1, month })
}

/** The day before. */
export function dayBefore(day: string): string {
  return Temporal.PlainDate.from(day).subtract({ days: 1 }).toString()
}

/** The first of the last `count` working days (Monday to Friday) before a day. */
export function workingDaysBefore(day: string, count: number): string {
  let at = Temporal.PlainDate.from(day)
  for (let left = count; left > 0; ) {
    at = at.subtract({ days: 1 })
    if (at.dayOfWeek < 6) left--
  }
  return at.toString()
}

const maxAhead = 2600

/**
 * The working day on which the rest is used up, if as much is used on each as on the mean of the last days: today if nothing is
 * left, and null if nothing is used or if it lasts for ten years.
 */
export function exhaustedOn(today: string, rest: bigint, used: bigint, days: number): string | null {
  if (rest <= 0n) return today
  if (used <= 0n) return null
  const needed = (rest * BigInt(days) + used - 1n) / used
  if (needed > maxAhead) return null
  let at = Temporal.PlainDate.from(today)
  for (let left = Number(needed); left > 0; ) {
    at = at.add({ days: 1 })
    if (at.dayOfWeek < 6) left--
  }
  return at.toString()
}
