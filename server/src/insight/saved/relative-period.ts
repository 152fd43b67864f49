import { Temporal } from 'temporal-polyfill'
import { keysOf } from '../../records/references/keys-of.ts'
import type { Bucket } from '../report/period.ts'

/** Periods that move with the calendar: the unit, and how many units before the present one. */
const periods = {
  today: ['day', 0],
  yesterday: ['day', 1],
  thisWeek: ['week', 0],
  lastWeek: ['week', 1],
  thisMonth: ['month', 0],
  lastMonth: ['month', 1],
  thisQuarter: ['quarter', 0],
  lastQuarter: ['quarter', 1],
  thisYear: ['year', 0],
  lastYear: ['year', 1],
} as const satisfies Record<string, readonly [Bucket, number]>

export type RelativePeriod = keyof typeof periods

export const relativePeriods: readonly RelativePeriod[] = keysOf(periods)

/** The first and the last day of a relative period on a given day; weeks begin on Monday. */
export function daysOfPeriod(period: RelativePeriod, today: string): { first: string; last: string } {
  const [unit, back] = periods[period]
  const { start, length } = unitAround(unit, Temporal.PlainDate.from(today))
  const first = start.subtract(times(length, back))
  return { first: first.toString(), last: first.add(length).subtract({ days: 1 }).toString() }
}

interface Length {
  days?: number
  months?: number
}

const times = ({ days = 0, months = 0 }: Length, count: number): Length => ({
  days: days * count,
  months: months * count,
})

function unitAround(unit: Bucket, day: Temporal.PlainDate): { start: Temporal.PlainDate; length: Length } {
  switch (unit) {
    case 'day':
      return { start: day, length: { days: 1 } }
    case 'week':
      return { start: day.subtract({ days: day.dayOfWeek - 1 }), length: { days: 7 } }
    case 'month':
      return { start: day.with({ day: 1 }), length: { months: 1 } }
    case 'quarter':
      return { start: day.with({ day: 1, month: day.month - ((day.month - 1) % 3) }), length: { months: 3 } }
    case 'year':
      return { start: day.with({ day: 1, month: 1 }), length: { months: 12 } }
  }
}
