import { Temporal } from 'temporal-polyfill'
import { may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { raw, type Sql } from '../../kernel/sql.ts'
import { allCalendars } from '../calendar/user-calendars.ts'
import { isCorrected } from '../corrected.ts'
import { othersTime } from '../permissions.ts'
import { makeSheets } from '../sheet/make-sheets.ts'
import { type Timesheet, timesheets } from '../sheet/sheet.ts'
import { isOpenFor } from '../sheet/sheet-state.ts'
import { localDay } from '../time-entry.ts'
import { closedStates } from '../time-state.ts'
import { closedUntil, holdClosing } from './closing.ts'

/** Where an entry is, or will be. */
export interface TimePlace {
  userId: Id
  date: string | null
  containerId: Id | ''
  /** Its place in the body, for the pointer of a fault; `date` if absent. */
  path?: readonly (string | number)[]
}

/**
 * Refuses writes of entries at places that are closed: up to the day of the tenant, in a submitted, approved or locked part of a
 * sheet, and for the user themselves when the grace days are over. Every path that writes time calls this, with the old and
 * the new place. It locks the sheets against verbs until the transaction ends, and makes those that are missing.
 */
export async function refuseClosed(ctx: Context, places: readonly TimePlace[]): Promise<void> {
  const found = await closedPlaces(ctx, places, 'by the caller')
  if (found.length > 0) throw periodClosed(found)
}

function periodClosed(found: readonly { place: TimePlace; message: string }[]): RuleBroken {
  const faults = found.map(({ place, message }) =>
    fault(place.path ?? ['date'], 'period-closed', message, place.date ?? undefined),
  )
  return new RuleBroken('period-closed', faults[0]?.Message ?? '', faults)
}

/** Returns the refusals of entries by the record that they came with. */
export async function closedEntries(
  ctx: Context,
  entries: readonly (TimePlace & { recordId: Id })[],
): Promise<Map<Id, RuleBroken>> {
  const found = await closedPlaces(ctx, entries, 'by the caller')
  const byRecord = Map.groupBy(found, ({ place }) => place.recordId)
  return new Map([...byRecord].map(([id, group]) => [id, periodClosed(group)]))
}

/**
 * Returns the entries (`e`) that may follow their item to a container: both places must be open. Others keep the container that
 * they were booked on, and so do corrected ones. Grace days do not matter, because it is the item that somebody changes.
 */
export async function followers(ctx: Context, which: Sql, containerId: Id): Promise<Id[]> {
  const entries = await ctx.sql<{ id: Id; userId: Id; date: string; containerId: Id | '' }>`
    select e.id, e.user_id as "userId", e.date::text as date, coalesce(e.container_id::text, '') as "containerId" from time e
    where e.tenant_id = ${ctx.caller.tenantId} and ${which} and e.state <> all(${closedStates}::int[]) and not ${isCorrected(raw('e'))} order by e.id`
  const places = entries.flatMap(each => [each, { ...each, containerId }])
  const closed = new Set((await closedPlaces(ctx, places, 'as a consequence')).map(each => each.place.id))
  return entries.map(each => each.id).filter(id => !closed.has(id))
}

/** Whether the tenant has ever divided or closed time; if not, no write has to ask. */
export async function closesTime(ctx: Context): Promise<boolean> {
  const load = async () => {
    const { tenantId } = ctx.caller
    const [row] = await ctx.sql<{
      used: boolean
    }>`select exists (select 1 from time_calendar where tenant_id = ${tenantId} and not deleted)
      or exists (select 1 from timesheet where tenant_id = ${tenantId}) or exists (select 1 from time_closing where tenant_id = ${tenantId}) as used`
    return row?.used ?? false
  }
  return (await remembered(ctx, 'closes time', load)) ?? false
}

/** What is known about the periods of some days while they are locked against verbs and closings. */
interface HeldPeriods {
  until: string | null
  sheets: Timesheet[]
}

/** Makes the sheets of these places, and locks them against verbs until the transaction ends. */
export async function holdPeriods(ctx: Context, places: readonly TimePlace[]): Promise<HeldPeriods> {
  // An id that is none is refused later, with the other references.
  const days = places.flatMap(({ userId, date }) => (date === null || !isId(userId) ? [] : [{ userId, date }]))
  if (days.length === 0 || !(await closesTime(ctx))) return { until: null, sheets: [] }
  await holdClosing(ctx)
  const until = await closedUntil(ctx)
  await makeSheets(ctx, days)
  return { until, sheets: await holdSheets(ctx, days) }
}

async function closedPlaces<P extends TimePlace>(
  ctx: Context,
  places: readonly P[],
  write: 'by the caller' | 'as a consequence',
): Promise<{ place: P; message: string }[]> {
  const { until, sheets } = await holdPeriods(ctx, places)
  const ended = write === 'by the caller' ? await endedGraces(ctx, sheets) : new Set<Id>()
  return places.flatMap(place => {
    const { userId, date, containerId } = place
    if (date === null) return []
    if (until !== null && date <= until) return [{ place, message: `time is closed until ${until}` }]
    const sheet = sheets.find(each => each.userId === userId && each.from <= date && date <= each.to)
    if (!sheet) return []
    const span = `from ${sheet.from} to ${sheet.to}`
    if (!isOpenFor(sheet, containerId)) return [{ place, message: `the timesheet ${span} is submitted or approved` }]
    const limited = userId === ctx.caller.userId && !may(ctx.caller, othersTime, containerId ? { containerId } : {})
    if (limited && ended.has(sheet.id)) return [{ place, message: `the grace days of the timesheet ${span} are over` }]
    return []
  })
}

/** Locks the sheets of these days for share: verbs wait until this transaction ends, other writers do not. */
async function holdSheets(ctx: Context, days: readonly { userId: Id; date: string }[]): Promise<Timesheet[]> {
  const s = raw('s')
  const rows = await ctx.sql<{ json: string }>`select ${timesheets.json(s)} as json from timesheet s
    where s.tenant_id = ${ctx.caller.tenantId} and s.user_id = any(${[...new Set(days.map(each => each.userId))]}::uuid[]) and exists (
      select 1 from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as w("userId" uuid, date date) where s.user_id = w."userId" and w.date between s."from" and s."to")
    order by s.id for share of s`
  return rows.map(row => JSON.parse(row.json))
}

/** The sheets of the caller whose grace days are over, by the caller's own day. */
async function endedGraces(ctx: Context, sheets: readonly Timesheet[]): Promise<Set<Id>> {
  const own = sheets.filter(each => each.userId === ctx.caller.userId)
  if (own.length === 0) return new Set()
  const graces = new Map((await allCalendars(ctx)).map(each => [each.id, each.graceDays]))
  const today = localDay(ctx.now, ctx.caller.timezone)
  return new Set(
    own.filter(({ calendarId, to }) => isOver(to, graces.get(calendarId) ?? null, today)).map(each => each.id),
  )
}

/** The grace ends at the midnight after its last day. */
export function isOver(to: string, graceDays: number | null, today: string): boolean {
  return graceDays !== null && today > Temporal.PlainDate.from(to).add({ days: graceDays }).toString()
}
