import { Temporal } from 'temporal-polyfill'
import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { ownTenant, raw } from '../../kernel/sql.ts'
import type { TimeCalendar } from '../calendar/calendar.ts'
import { periodOf } from '../calendar/period.ts'
import { allCalendars, calendarsOf } from '../calendar/user-calendars.ts'
import { isOver } from '../closed/closed.ts'
import { localDay } from '../time-entry.ts'
import { makeSheets, type UserDay } from './make-sheets.ts'
import { type Timesheet, timesheets } from './sheet.ts'
import { sheetState } from './sheet-state.ts'
import { perform, sheetVerbs } from './sheet-verbs.ts'

/**
 * Makes the sheets of the current and the last period, reminds users of sheets that they have not submitted, and submits those
 * whose grace days are over. Each sheet has a transaction of its own, and its row says what was done.
 */
export function keepTimesheets(database: Database, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'keep-timesheets',
    every: 900_000,
    async run(signal) {
      const tenants = await database.crossTenantSql<{ id: Id }>`select distinct c.tenant_id as id from time_calendar c
        where not c.deleted and exists (select 1 from tenant t where t.tenant_id = c.tenant_id and t.status = 0 and not t.deleted)`
      for (const { id } of tenants) {
        signal.throwIfAborted()
        await keepSheetsOf(database, id, now())
      }
    },
  }
}

async function keepSheetsOf(database: Database, tenantId: Id, now: Date): Promise<void> {
  const service = tenantCaller(tenantId)
  const days = await database.single(service, ctx => usersToday(ctx), { now })
  const due = await database.transaction(
    service,
    async ctx => {
      await makeSheets(ctx, await neededDays(ctx, days))
      return await dueSheets(ctx, new Map(days.map(each => [each.userId, each.date])))
    },
    { now },
  )
  for (const { id, userId, submit, reminder } of due) {
    if (reminder > 0) await database.transaction(service, ctx => remind(ctx, id, reminder), { now })
    if (submit) await submitLate(database, tenantCaller(tenantId, userId), id, now)
  }
}

/** The local day of every user who books time. */
async function usersToday(ctx: Context): Promise<UserDay[]> {
  const rows = await ctx.sql<{
    userId: Id
    timezone: string
  }>`select distinct u.id as "userId", coalesce(nullif(u.timezone, ''), nullif(t.timezone, ''), 'UTC') as timezone
    from "user" u join tenant t on t.tenant_id = u.tenant_id join user_group_member m on m.tenant_id = ${ownTenant} and m.user_id = u.id
    where u.tenant_id = ${ctx.caller.tenantId} and u.active and not u.deleted`
  return rows.map(({ userId, timezone }) => ({ userId, date: localDay(ctx.now, timezone) }))
}

/** Today, and the last day of the period before, so that a period without any time has a sheet, too. */
async function neededDays(ctx: Context, days: readonly UserDay[]): Promise<UserDay[]> {
  const calendars = await calendarsOf(
    ctx,
    days.map(each => each.userId),
  )
  return days.flatMap(day => {
    const calendar = calendars.get(day.userId)
    const period = calendar && periodOf(calendar, day.date)
    if (!period) return []
    const before = Temporal.PlainDate.from(period.from).subtract({ days: 1 }).toString()
    return [day, { userId: day.userId, date: before }]
  })
}

interface DueSheet {
  id: Id
  userId: Id
  submit: boolean
  /** The number of the reminder that is due; 0 if none is. */
  reminder: number
}

async function dueSheets(ctx: Context, today: ReadonlyMap<Id, string>): Promise<DueSheet[]> {
  const s = raw('s')
  const rows = await ctx.sql<{ json: string }>`select ${timesheets.json(s)} as json from timesheet s
    join time_calendar c on c.tenant_id = ${ctx.caller.tenantId} and c.id = s.calendar_id and not c.deleted
    where s.tenant_id = ${ctx.caller.tenantId} and s.state in (${raw(`${sheetState.open}, ${sheetState.rejected}`)}) and s."to" < ${ctx.now}::timestamptz::date + 1
      and (s.reminded < cardinality(c.remind_after_days) or (c.auto_submit and c.grace_days is not null)) order by s.id`
  const calendars = new Map((await allCalendars(ctx)).map(each => [each.id, each]))
  return rows.flatMap(({ json }): DueSheet[] => {
    const sheet: Timesheet = JSON.parse(json)
    const calendar = calendars.get(sheet.calendarId)
    const day = today.get(sheet.userId)
    return calendar && day ? [dueOf(sheet, calendar, day)] : []
  })
}

/** What is due for a sheet on a day of its user. Reminders that were missed are one. */
export function dueOf(
  { id, userId, state, to, reminded }: Pick<Timesheet, 'id' | 'userId' | 'state' | 'to' | 'reminded'>,
  { remindAfterDays, autoSubmit, graceDays }: Pick<TimeCalendar, 'remindAfterDays' | 'autoSubmit' | 'graceDays'>,
  day: string,
): DueSheet {
  const passed = Temporal.PlainDate.from(to).until(day).days
  const number = remindAfterDays.filter(each => passed >= each && passed > 0).length
  return {
    id,
    userId,
    submit: autoSubmit && state === sheetState.open && isOver(to, graceDays, day),
    reminder: number > reminded ? number : 0,
  }
}

async function remind(ctx: Context, id: Id, reminder: number): Promise<void> {
  const sheet = await timesheets.find(ctx, id, { lock: true })
  const waits = sheet?.state === sheetState.open || sheet?.state === sheetState.rejected
  if (!sheet || !waits || sheet.reminded >= reminder) return
  const changes = { userId: { to: sheet.userId } }
  await timesheets.update(ctx, id, { reminded: reminder }, { verb: 'due', own: { columns: {}, changes } })
}

/**
 * Submits in the name of the owner. A sheet that cannot be submitted yet, because of drafts or a running timer, is tried again
 * later.
 */
async function submitLate(database: Database, owner: Caller, id: Id, now: Date): Promise<void> {
  try {
    const input = { comment: 'submitted when the grace days were over' }
    await database.transaction(owner, ctx => perform(ctx, id, sheetVerbs.submit, { input }), { now })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}
