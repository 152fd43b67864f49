/** The codes of `unit` of an allocation: what `amount` counts. */
export const allocationUnit = { minutesPerDay: 0, totalMinutes: 1, percent: 2 } as const

/** What is planned: an amount in a unit. */
export interface Planned {
  unit: number
  amount: number
}

/** A day of the allocation, and the seconds that its subject can work on it. */
export interface CapacityDay {
  date: string
  capacity: number
}

/**
 * Spreads an allocation over its days, in seconds. A number of minutes a day is planned on each day with capacity. A total, or
 * a part of the capacity, is divided in proportion to the capacity of the days, so that the parts add up to it exactly. Without
 * any capacity all of it is on the first day.
 */
export function spread({ unit, amount }: Planned, days: readonly CapacityDay[]): Map<string, number> {
  const total = days.reduce((sum, { capacity }) => sum + capacity, 0)
  const [first] = days
  if (!first) return new Map()
  if (total === 0) return new Map([[first.date, unit === allocationUnit.percent ? 0 : Math.round(amount * 60)]])
  switch (unit) {
    case allocationUnit.minutesPerDay:
      return new Map(days.map(({ date, capacity }) => [date, capacity > 0 ? Math.round(amount * 60) : 0]))
    case allocationUnit.totalMinutes:
      return inProportion(Math.round(amount * 60), days, total)
    case allocationUnit.percent:
      return inProportion(Math.round((amount * total) / 100), days, total)
    default:
      // An unknown unit is stored and plans nothing; `check` says so.
      return new Map()
  }
}

/** Day i gets ⌊T·Cᵢ ÷ C⌋ − ⌊T·Cᵢ₋₁ ÷ C⌋, where Cᵢ is the capacity up to this day. The products exceed exact numbers. */
function inProportion(seconds: number, days: readonly CapacityDay[], total: number): Map<string, number> {
  const parts = new Map<string, number>()
  let [passed, given] = [0n, 0n]
  for (const { date, capacity } of days) {
    passed += BigInt(capacity)
    const upTo = (BigInt(seconds) * passed) / BigInt(total)
    parts.set(date, Number(upTo - given))
    given = upTo
  }
  return parts
}
