import { Temporal } from 'temporal-polyfill'
import type { Context } from '../../kernel/context.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { localDay } from '../../time/time-entry.ts'

/** The days of a report, inclusive, in a time zone, and the moments at which they begin and end. */
export interface Period {
  timezone: string
  first: string
  last: string
  from: string
  to: string
}

interface PeriodInput {
  startDate?: string | undefined
  endDate?: string | undefined
  timezone?: string | undefined
}

/** Reads the period of a request: the local days at the two moments, at most `maxDays` of them; today if it has none. */
export function readPeriod(ctx: Context, input: PeriodInput, maxDays: number): Period {
  const { startDate = ctx.now.toISOString(), endDate = ctx.now.toISOString(), timezone: asked } = input
  const timezone = asked || ctx.caller.timezone || 'UTC'
  const [first, last] = [localDay(new Date(startDate), timezone), localDay(new Date(endDate), timezone)]
  if (last < first) throw new Invalid([fault(['endDate'], 'range', 'must not be before startDate', endDate)])
  const days = Temporal.PlainDate.from(first).until(last, { largestUnit: 'day' }).days + 1
  if (days > maxDays)
    throw new Invalid([fault(['endDate'], 'range', `must be at most ${maxDays} days after startDate`, endDate)])
  return {
    timezone,
    first,
    last,
    from: startOf(Temporal.PlainDate.from(first), timezone),
    to: endOfDay(last, timezone),
  }
}

function startOf(day: Temporal.PlainDate, timezone: string): string {
  return day.toZonedDateTime(timezone).toInstant().toString()
}

/** The moment at which a day ends and the next one begins. */
export function endOfDay(date: string, timezone: string): string {
  return startOf(Temporal.PlainDate.from(date).add({ days: 1 }), timezone)
}

/** Each day of the period, in order. */
export function daysOf({ first, last }: Pick<Period, 'first' | 'last'>): Temporal.PlainDate[] {
  const start = Temporal.PlainDate.from(first)
  const count = start.until(last, { largestUnit: 'day' }).days + 1
  return Array.from({ length: count }, (_, i) => start.add({ days: i }))
}

/** Whether a moment lies in the period. */
export function during({ from, to }: Period, moment: Sql): Sql {
  return sql`(${moment} >= ${from}::timestamptz and ${moment} < ${to}::timestamptz)`
}

export const buckets = ['day', 'week', 'month', 'quarter', 'year'] as const
export type Bucket = (typeof buckets)[number]

/** The first day of the bucket that a moment or a day lies in; weeks begin on Monday. */
export function bucketOf(bucket: Bucket, kind: 'instant' | 'date', value: Sql, timezone: string): Sql {
  const local = kind === 'instant' ? sql`(${value} at time zone ${timezone}::text)` : sql`(${value})::timestamp`
  return sql`date_trunc(${bucket}::text, ${local})::date`
}
