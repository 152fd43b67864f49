import { Temporal } from 'temporal-polyfill'
import { codesOf } from '../../records/code-table.ts'

/** How a calendar divides time, with labels. */
export const periodKinds = {
  week: [0, 'Week'],
  month: [1, 'Month'],
  halfMonth: [2, 'Half month'],
  custom: [3, 'Custom'],
} as const

export const periodKind = codesOf(periodKinds)

/** Days from the first to the last one, both included. */
export interface Period {
  from: string
  to: string
}

/** The properties of a calendar that divide time into periods. */
export interface PeriodRule {
  kind: number
  /** 1 is Monday, 7 is Sunday. */
  weekStart: number
  /** The first days of custom periods. The last one ends the period before it and begins none. */
  dates: readonly string[]
  /** The first day of the first period; `null` is no limit. */
  from: string | null
}

/** Returns the period of a day; undefined if the calendar has none. */
export function periodOf(rule: PeriodRule, day: string): Period | undefined {
  if (rule.from !== null && day < rule.from) return undefined
  const period = wholePeriod(rule, Temporal.PlainDate.from(day))
  return period && rule.from !== null && period.from < rule.from ? { ...period, from: rule.from } : period
}

function wholePeriod({ kind, weekStart, dates }: PeriodRule, day: Temporal.PlainDate): Period | undefined {
  switch (kind) {
    case periodKind.week: {
      const from = day.subtract({ days: (day.dayOfWeek - weekStart + 7) % 7 })
      return period(from, from.add({ days: 6 }))
    }
    case periodKind.month:
      return period(day.with({ day: 1 }), day.with({ day: day.daysInMonth }))
    case periodKind.halfMonth:
      return day.day <= 15
        ? period(day.with({ day: 1 }), day.with({ day: 15 }))
        : period(day.with({ day: 16 }), day.with({ day: day.daysInMonth }))
    case periodKind.custom:
      return customPeriod(dates, day)
    default:
      return undefined // an unknown code is stored and has no effect
  }
}

function customPeriod(dates: readonly string[], day: Temporal.PlainDate): Period | undefined {
  const from = dates
    .filter(date => date <= day.toString())
    .sort()
    .at(-1)
  const next = dates.filter(date => date > day.toString()).sort()[0]
  if (from === undefined || next === undefined) return undefined
  return { from, to: Temporal.PlainDate.from(next).subtract({ days: 1 }).toString() }
}

function period(from: Temporal.PlainDate, to: Temporal.PlainDate): Period {
  return { from: from.year < 1 ? firstDay : from.toString(), to: to.year > 9999 ? lastDay : to.toString() }
}

/** The days that a date can be; a week that goes beyond ends there. */
const [firstDay, lastDay] = ['0001-01-01', '9999-12-31']

/**
 * Returns the part of a period around a day that no other period covers. A calendar that changes thereby touches only days
 * that were not in a period before.
 */
export function clipped({ from, to }: Period, day: string, taken: readonly Period[]): Period {
  const after = taken.filter(each => each.to < day).map(each => nextDay(each.to))
  const before = taken.filter(each => each.from > day).map(each => dayBefore(each.from))
  return { from: [from, ...after].sort().at(-1) ?? from, to: [to, ...before].sort()[0] ?? to }
}

const nextDay = (day: string) => Temporal.PlainDate.from(day).add({ days: 1 }).toString()
const dayBefore = (day: string) => Temporal.PlainDate.from(day).subtract({ days: 1 }).toString()
