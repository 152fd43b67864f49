import { users } from '../admin/user/user.ts'
import { visibleItems } from '../items/item/item.ts'
import { may, permission, staff } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { type Id, isId } from '../kernel/id.ts'
import { operation, type Routes } from '../kernel/operation.ts'
import { type Fault, Forbidden, fault, Invalid, NotFound } from '../kernel/refusal.ts'
import { reader, type Schema } from '../kernel/schema/shape.ts'
import { ownTenant, raw, sql } from '../kernel/sql.ts'
import { Code } from '../records/code-table.ts'
import { together } from '../records/together.ts'
import { counts } from '../time/minutes-spent.ts'
import { othersTime } from '../time/time.ts'
import { localDay } from '../time/time-entry.ts'
import { billed } from '../time/time-state.ts'
import { entryText } from './report/time/entry-text.ts'

interface TimesheetInput {
  userId: string
  startDate: string
  endDate: string
}

const moment: Schema = { type: 'string', format: 'date-time' }
const inputSchema: Schema = {
  type: 'object',
  properties: {
    userId: { type: 'string', maxLength: 36 },
    startDate: { ...moment, description: 'The first day: the local day of the user at this time.' },
    endDate: { ...moment, description: 'The last day, inclusive.' },
  },
  required: ['userId', 'startDate', 'endDate'],
  additionalProperties: false,
}

const rowSchema: Schema = {
  type: 'object',
  title: 'TimesheetRow',
  properties: {
    date: { ...moment, description: 'The local day of the entry, at 00:00Z.' },
    totalMinutes: { type: 'integer' },
    label: {
      type: 'string',
      description: 'The key and title of the item, or the code and name of the non-billable code.',
    },
    isBillable: Code(billed, { enum: [0, 1] }),
    seconds: { type: 'integer', description: 'The exact length; `totalMinutes` is rounded.' },
    timeId: { type: 'string' },
    itemId: { type: ['string', 'null'] },
    note: { type: 'string' },
  },
  required: ['date', 'totalMinutes', 'label', 'isBillable'],
}

const maxDays = 366

/** The timesheet of one user. */
export const userTimesheet = operation<TimesheetInput>({
  permission: permission('timesheet.read', staff),
  placed: true,
  mode: 'read',
  summary: 'Timesheet of a user',
  description: `One row for each time entry of the user in the period, ordered by day and then by creation, non-billable time included. Days are those of the user’s time zone; at most ${maxDays} of them. One’s own sheet, or anybody’s with \`${othersTime.name}\`.`,
  body: {
    schema: inputSchema,
    read: reader(inputSchema),
    example: {
      userId: '01890000-0000-7000-8000-000000000000',
      startDate: '2026-03-01T00:00:00Z',
      endDate: '2026-03-31T23:59:59Z',
    },
  },
  reply: { status: 200, schema: { type: 'array', items: rowSchema }, description: 'The rows.' },
  refusals: [404],
  async run(ctx, { body }) {
    const isPermitted = body.userId.toLowerCase() === ctx.caller.userId || may(ctx.caller, othersTime)
    // Most users are in the time zone of the caller or have the same days, so their rows are read together with the time zone.
    const likely = daysIn(body, ctx.caller.timezone)
    const [user, rows] = await together([
      userOf(ctx, body.userId),
      isPermitted && isId(body.userId) && faultsOf(likely, body).length === 0
        ? rowsOf(ctx, body.userId, likely)
        : undefined,
    ])
    if (!isPermitted) throw new Forbidden(`somebody else’s timesheet needs the permission ${othersTime.name}`)
    const days = daysIn(body, user.timezone || ctx.caller.timezone)
    const faults = faultsOf(days, body)
    if (faults.length > 0) throw new Invalid(faults)
    const isKnown = days.first === likely.first && days.last === likely.last
    return { text: (isKnown ? rows : undefined) ?? (await rowsOf(ctx, user.id, days)) }
  },
})

/** The first and the last day of a timesheet. */
interface Days {
  first: string
  last: string
}

function daysIn({ startDate, endDate }: TimesheetInput, timezone: string): Days {
  return { first: localDay(new Date(startDate), timezone), last: localDay(new Date(endDate), timezone) }
}

function faultsOf({ first, last }: Days, { endDate }: TimesheetInput): Fault[] {
  if (last < first) return [fault(['endDate'], 'range', 'must not be before startDate', endDate)]
  if (Date.parse(last) - Date.parse(first) < maxDays * 86_400_000) return []
  return [fault(['endDate'], 'range', `must be at most ${maxDays} days after startDate`, endDate)]
}

/** The time zone of a user whom the caller sees. */
async function userOf(ctx: Context, id: Id): Promise<{ id: Id; timezone: string }> {
  const t = raw('t')
  const [user] = isId(id)
    ? await ctx.sql<{ id: Id; timezone: string }>`select t.id, t.timezone from "user" t
        where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id} and not t.deleted and ${users.visible(ctx.caller, t)}`
    : []
  if (!user) throw new NotFound()
  return user
}

/** The rows as JSON. An item has many entries of a user, so it is looked up once. */
async function rowsOf(ctx: Context, userId: Id, { first, last }: Days): Promise<string> {
  const t = raw('t')
  const item = { seen: sql`i.id is not null`, label: sql`i.label` }
  const [row] = await ctx.sql<{ text: string }>`with t as materialized (
      select t.id, t.user_id, t.item_id, t.non_billable, t.container_id, t.date, t.created, t.minutes, t.seconds, t.billable, t.note from time t
      where t.tenant_id = ${ctx.caller.tenantId} and t.user_id = ${userId} and t.date between ${first}::date and ${last}::date and ${counts(t)}),
    i as materialized (
      select i.id, to_json(i.key || ' ' || i.title)::text as label from item i
      where i.tenant_id = ${ownTenant} and i.id = any(array(select distinct t.item_id from t)) and ${visibleItems(ctx.caller, raw('i'))})
    select '[' || coalesce(string_agg(${entryText(ctx, item)}, ',' order by t.date, t.created, t.id), '') || ']' as text
    from t left join i on i.id = t.item_id
      left join non_billable n on n.tenant_id = ${ownTenant} and n.id = t.non_billable`
  return row?.text ?? '[]'
}

export const routes: Routes = { 'POST /insight/report/user-timesheet': userTimesheet }
