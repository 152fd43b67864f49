import { Temporal } from 'temporal-polyfill'
import { users } from '../../admin/user/user.ts'
import type { Context } from '../../kernel/context.ts'
import type { Operation } from '../../kernel/operation.ts'
import { type Fault, fault, Invalid } from '../../kernel/refusal.ts'
import { localDay } from '../../time/time-entry.ts'
import { prepareQuery, query } from '../query/query.ts'
import { type QueryBody, queryBody } from '../query/query-body.ts'
import { reports } from '../report/reports.ts'
import { userTimesheet } from '../reporting.ts'
import { daysOfPeriod, type RelativePeriod } from './relative-period.ts'

/** What a saved report asks: a report by its name with its request, or a query. */
export interface SavedQuestion {
  report: string
  input: Record<string, unknown>
  period: RelativePeriod | ''
  query: QueryBody | null
}

/** The operation that answers a saved question, and its body today. */
export interface SavedRequest {
  operation: Operation
  body: unknown
  /** The property that holds the request, for pointers into it. */
  property: 'input' | 'query'
  /** Throws if the request names something that does not exist for the caller. */
  prepare(): Promise<unknown>
}

/** The names of the reports that can be saved. */
export const reportNames: readonly string[] = [...reports.map(each => each.name), 'user-timesheet']

/** The request of a saved question with the dates of today; undefined if no report has its name. */
export async function requestOf(ctx: Context, asked: SavedQuestion): Promise<SavedRequest | undefined> {
  if (asked.report === '') {
    const body = read('query', () => queryBody.read(asked.query))
    return { operation: query, body, property: 'query', prepare: () => prepareQuery(ctx, body) }
  }
  const report = reports.find(each => each.name === asked.report)
  const operation = report?.operation ?? (asked.report === 'user-timesheet' ? userTimesheet : undefined)
  if (!operation) return undefined
  refuseWrongPeriod(asked, operation)
  const body = await bodyToday(ctx, asked, operation)
  return { operation, body, property: 'input', prepare: async () => await report?.records(ctx, body, '') }
}

/** The part of the requests of reports that the days of a period depend on. */
interface DatedBody {
  timezone?: string
  /** Of the timesheet of a user, whose days are those of the user. */
  userId?: string
}

async function bodyToday(ctx: Context, { input, period }: SavedQuestion, { body }: Operation): Promise<unknown> {
  const readInput = (dates: object) => read('input', () => body?.read({ ...input, ...dates }))
  if (period === '') return readInput({})
  const now = ctx.now.toISOString()
  // The schemas of reports with a period have no other types for these properties.
  const { timezone, userId } = readInput({ startDate: now, endDate: now }) as DatedBody
  const user = userId === undefined ? undefined : await users.find(ctx, userId)
  return readInput(datesOf(period, ctx.now, timezone || user?.timezone || ctx.caller.timezone || 'UTC'))
}

/** Two periods would contradict each other, and a report about the present has none. */
function refuseWrongPeriod({ period, input }: SavedQuestion, { body }: Operation): void {
  if (period === '') return
  if (!body?.schema.properties?.startDate)
    throw new Invalid([fault(['period'], 'no-period', 'the report is about the present', period)])
  const both = Object.keys(input).find(name => /^(start|end)date$/i.test(name))
  if (both) throw new Invalid([fault(['input', both], 'conflict', 'period gives the dates already', input[both])])
}

/** A moment in the first and one in the last day of the period. */
function datesOf(period: RelativePeriod, now: Date, timezone: string) {
  const { first, last } = daysOfPeriod(period, localDay(now, timezone))
  const noon = (date: string) =>
    Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: timezone, plainTime: '12:00' }).toInstant().toString()
  return { startDate: noon(first), endDate: noon(last) }
}

/** Adds the property of the request to the pointers of its faults. */
function read<T>(property: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof Invalid ? new Invalid(error.faults.map(each => within(property, each))) : error
  }
}

/** The same fault, of a value that is a property of the record. */
export function within(property: string, found: Fault): Fault {
  return { ...found, Field: `${property}.${found.Field}`, Pointer: `/${property}${found.Pointer}` }
}
