import { Temporal } from 'temporal-polyfill'

/** The codes of `period` of a contract. */
export const contractPeriod = { once: 0, month: 1, quarter: 2, year: 3 } as const

/** A period of a contract, from the first to the last day; null is open. */
export interface ContractPeriod {
  index: number
  from: string
  to: string | null
}

interface Periodic {
  period: number
  from: string
  to: string | null
}

const months: Readonly<Record<number, number>> = {
  [contractPeriod.month]: 1,
  [contractPeriod.quarter]: 3,
  [contractPeriod.year]: 12,
}

/**
 * The period with this number, of which 0 is the first. Periods are those of the calendar, so the first one can be shorter. An
 * unknown code is one period.
 */
export function contractPeriodAt({ period, from, to }: Periodic, index: number): ContractPeriod {
  const length = months[period]
  if (!length) return { index, from, to }
  const first = calendarStart(Temporal.PlainDate.from(from), length).add({ months: length * index })
  const last = first.add({ months: length }).subtract({ days: 1 }).toString()
  return { index, from: index === 0 ? from : first.toString(), to: to !== null && to < last ? to : last }
}

/** The number of the period of a day; that of the last one after the end, and of the first one before the begin. */
export function contractPeriodOn(contract: Periodic, day: string): ContractPeriod {
  const length = months[contract.period]
  const inside = day < contract.from ? contract.from : contract.to !== null && day > contract.to ? contract.to : day
  if (!length) return contractPeriodAt(contract, 0)
  const [start, at] = [contract.from, inside].map(each => Temporal.PlainDate.from(each))
  if (!start || !at) return contractPeriodAt(contract, 0)
  const between = (at.year - start.year) * 12 + at.month - calendarStart(start, length).month
  return contractPeriodAt(contract, Math.floor(between / length))
}

function calendarStart(day: Temporal.PlainDate, length: number): Temporal.PlainDate {
  return day.with({ day: 1, month: day.month - ((day.month - 1) % length) })
}
