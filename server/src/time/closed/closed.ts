import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { nothing, raw, type Sql } from '../../kernel/sql.ts'
import { together } from '../../records/together.ts'
import { isCorrected } from '../corrected.ts'
import { makeSheets, missingSheets, type UserDay } from '../sheet/make-sheets.ts'
import { type Timesheet, timesheets } from '../sheet/sheet.ts'
import { sheetState } from '../sheet/sheet-state.ts'
import { closedStates } from '../time-state.ts'
import { closedUntil, holdClosing } from './closing.ts'
import { type ClosedPlace, judgePlaces, type KnownPeriods, type TimePlace, type TimeWrite } from './judge-places.ts'

export { isOver, type KnownPeriods, type TimePlace } from './judge-places.ts'

/**
 * Refuses writes of entries at places that are closed: up to the day of the tenant, in a submitted, approved or locked part of a
 * sheet, and for the user themselves when the grace days are over. Every path that writes time calls this, with the old and
 * the new place. It locks the sheets against verbs until the transaction ends, and makes those that are missing.
 */
export async function refuseClosed(ctx: Context, places: readonly TimePlace[]): Promise<void> {
  const found = await closedPlaces(ctx, places, 'by the caller')
  if (found.length > 0) throw periodClosed(found)
}

function periodClosed(found: readonly ClosedPlace<TimePlace>[]): RuleBroken {
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

/** Makes the sheets of these places, and locks them against verbs until the transaction ends. */
export async function holdPeriods(ctx: Context, places: readonly TimePlace[]): Promise<KnownPeriods> {
  const days = daysOf(places)
  if (days.length === 0 || !(await closesTime(ctx))) return { until: null, sheets: [] }
  await holdClosing(ctx)
  const until = await closedUntil(ctx)
  await makeSheets(ctx, days)
  return { until, sheets: await sheetsOn(ctx, days, raw('for share of s')) }
}

/** The days of places. An id that is none is refused later, with the other references. */
function daysOf(places: readonly TimePlace[]): UserDay[] {
  return places.flatMap(({ userId, date }) => (date === null || !isId(userId) ? [] : [{ userId, date }]))
}

async function closedPlaces<P extends TimePlace>(
  ctx: Context,
  places: readonly P[],
  write: TimeWrite,
): Promise<ClosedPlace<P>[]> {
  return await judgePlaces(ctx, await holdPeriods(ctx, places), places, write)
}

/** What is known about the periods of these days at this moment; it locks nothing and makes no sheets. */
export async function periodsNow(ctx: Context, days: readonly UserDay[]): Promise<KnownPeriods> {
  if (days.length === 0 || !(await closesTime(ctx))) return { until: null, sheets: [] }
  const [made, missing, until] = await together([
    sheetsOn(ctx, days, nothing),
    missingSheets(ctx, days),
    closedUntil(ctx),
  ])
  const open = missing.map(each => ({ ...each, state: sheetState.open, approval: 0, parts: [] }))
  return { until, sheets: [...made, ...open] }
}

/** Returns the places that are closed for the caller, by what is known about their periods. */
export async function closedIn<P extends TimePlace>(
  ctx: Context,
  periods: KnownPeriods,
  places: readonly P[],
): Promise<P[]> {
  return (await judgePlaces(ctx, periods, places, 'by the caller')).map(each => each.place)
}

/** The sheets of these days. Locked for share, verbs wait until this transaction ends, and other writers do not. */
async function sheetsOn(ctx: Context, days: readonly UserDay[], lock: Sql): Promise<Timesheet[]> {
  const s = raw('s')
  const rows = await ctx.sql<{ json: string }>`select ${timesheets.json(s)} as json from timesheet s
    where s.tenant_id = ${ctx.caller.tenantId} and s.user_id = any(${[...new Set(days.map(each => each.userId))]}::uuid[]) and exists (
      select 1 from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as w("userId" uuid, date date) where s.user_id = w."userId" and w.date between s."from" and s."to")
    order by s.id ${lock}`
  return rows.map(row => JSON.parse(row.json))
}
