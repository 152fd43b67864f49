import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { clipped, type Period, periodOf } from '../calendar/period.ts'
import { calendarsOf } from '../calendar/user-calendars.ts'

/** A day of a user. */
export interface UserDay {
  userId: Id
  date: string
}

/**
 * Makes the sheets that these days need and that do not exist yet. A new sheet has the days of its period that no other sheet
 * covers, so that a changed calendar leaves the existing ones as they are.
 */
export async function makeSheets(ctx: Context, days: readonly UserDay[]): Promise<void> {
  // Another transaction can take a part of the days at the same time; the rest then becomes a sheet of its own.
  for (let attempt = 0; attempt < 3; attempt++) {
    const missing = await withoutSheet(ctx, days)
    const wanted = await newSheets(ctx, missing)
    if (wanted.length === 0) return
    const { tenantId, userId } = ctx.caller
    const rows = JSON.stringify(wanted.map(each => ({ id: newId(), ...each })))
    // Sheets are no work of the caller, so that they have no event, and undo leaves them alone.
    await ctx.sql`insert into timesheet (tenant_id, id, created, created_by, updated, updated_by, user_id, calendar_id, "from", "to")
      select ${tenantId}::uuid, w.id, ${ctx.now}::timestamptz, ${userId}::uuid, ${ctx.now}::timestamptz, ${userId}::uuid, w."userId", w."calendarId", w."from", w."to"
      from jsonb_to_recordset(${rows}::jsonb) as w(id uuid, "userId" uuid, "calendarId" uuid, "from" date, "to" date)
      on conflict do nothing returning 1`
  }
}

/** The sheets that these days would get if somebody booked time now. */
export async function missingSheets(ctx: Context, days: readonly UserDay[]): Promise<NewSheet[]> {
  return await newSheets(ctx, await withoutSheet(ctx, days))
}

async function withoutSheet(ctx: Context, days: readonly UserDay[]): Promise<UserDay[]> {
  return await ctx.sql<UserDay>`select distinct w."userId", w.date::text as date
    from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as w("userId" uuid, date date)
    where not exists (select 1 from timesheet s where s.tenant_id = ${ctx.caller.tenantId} and s.user_id = w."userId" and w.date between s."from" and s."to")
    order by 1, 2`
}

interface NewSheet extends Period {
  userId: Id
  calendarId: Id
}

async function newSheets(ctx: Context, missing: readonly UserDay[]): Promise<NewSheet[]> {
  const calendars = await calendarsOf(ctx, [...new Set(missing.map(each => each.userId))])
  const wanted: NewSheet[] = []
  const taken = await neighbours(
    ctx,
    missing.filter(each => calendars.has(each.userId)),
  )
  for (const { userId, date } of missing) {
    const calendar = calendars.get(userId)
    const period = calendar && periodOf(calendar, date)
    const known = taken.get(userId) ?? []
    if (!calendar || !period || known.some(each => each.from <= date && date <= each.to)) continue
    const made = { userId, calendarId: calendar.id, ...clipped(period, date, known) }
    taken.set(userId, [...known, made])
    wanted.push(made)
  }
  return wanted
}

/** The days that the sheets of these users cover already. */
async function neighbours(ctx: Context, days: readonly UserDay[]): Promise<Map<Id, Period[]>> {
  const userIds = [...new Set(days.map(each => each.userId))]
  if (userIds.length === 0) return new Map()
  const rows = await ctx.sql<
    Period & { userId: Id }
  >`select user_id as "userId", "from"::text as "from", "to"::text as "to" from timesheet
    where tenant_id = ${ctx.caller.tenantId} and user_id = any(${userIds}::uuid[])`
  return new Map([...Map.groupBy(rows, each => each.userId)])
}
