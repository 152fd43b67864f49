import { Temporal } from 'temporal-polyfill'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { isDate } from '../../kernel/schema/formats.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { type Day, daysBetween } from './capacity.ts'

/** The longest period that is read day by day. */
export const maxDays = 400

export const periodQuery = (usualDays: number): Record<'from' | 'to', Schema> => ({
  from: { type: 'string', format: 'date', description: 'The first day; today in UTC by default.' },
  to: { type: 'string', format: 'date', description: `The last day; by default the period has ${usualDays} days.` },
})

/** The days from `from` to `to` of a query; all faults of both are reported at once. */
export function periodOf(now: Date, query: Record<string, unknown>, usualDays: number): Day[] {
  const from = String(query.from ?? now.toISOString().slice(0, 10))
  const faults = ['from', 'to'].flatMap(name =>
    query[name] === undefined || isDate(String(query[name]))
      ? []
      : [fault([name], 'date', 'must be a date', query[name])],
  )
  if (faults.length > 0) throw new Invalid(faults, 'the query is not valid')
  const first = Temporal.PlainDate.from(from)
  const last = query.to === undefined ? first.add({ days: usualDays - 1 }) : Temporal.PlainDate.from(String(query.to))
  const count = first.until(last, { largestUnit: 'day' }).days + 1
  if (count < 1 || count > maxDays || last.year > 9999)
    throw new Invalid([fault(['to'], 'range', `must be 0 to ${maxDays - 1} days after from`, query.to)])
  return daysBetween(first.toString(), last.toString())
}
