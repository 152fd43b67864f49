import { Temporal } from 'temporal-polyfill'
import { may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { allCalendars } from '../calendar/user-calendars.ts'
import { othersTime } from '../permissions.ts'
import type { Timesheet } from '../sheet/sheet.ts'
import { isOpenFor } from '../sheet/sheet-state.ts'
import { localDay } from '../time-entry.ts'

/** Where an entry is, or will be. */
export interface TimePlace {
  userId: Id
  date: string | null
  containerId: Id | ''
  /** Its place in the body, for the pointer of a fault; `date` if absent. */
  path?: readonly (string | number)[]
}

/** Who changes an entry: the caller, or a change of something else that it follows. */
export type TimeWrite = 'by the caller' | 'as a consequence'

/** A place that is closed, and why. */
export interface ClosedPlace<P> {
  place: P
  message: string
}

/** The properties of a sheet that open and close its days. */
type KnownSheet = Pick<Timesheet, 'userId' | 'calendarId' | 'from' | 'to' | 'state' | 'approval' | 'parts'>

/** What is known about the periods of some days. */
export interface KnownPeriods {
  until: string | null
  sheets: readonly KnownSheet[]
}

/** Returns the places that are closed, and why. Grace days matter only for what the caller writes. */
export async function judgePlaces<P extends TimePlace>(
  ctx: Context,
  { until, sheets }: KnownPeriods,
  places: readonly P[],
  write: TimeWrite,
): Promise<ClosedPlace<P>[]> {
  const ended = write === 'by the caller' ? await endedGraces(ctx, sheets) : new Set<KnownSheet>()
  return places.flatMap(place => {
    const { userId, date, containerId } = place
    if (date === null) return []
    if (until !== null && date <= until) return [{ place, message: `time is closed until ${until}` }]
    const sheet = sheets.find(each => each.userId === userId && each.from <= date && date <= each.to)
    if (!sheet) return []
    const span = `from ${sheet.from} to ${sheet.to}`
    if (!isOpenFor(sheet, containerId)) return [{ place, message: `the timesheet ${span} is submitted or approved` }]
    const limited = userId === ctx.caller.userId && !may(ctx.caller, othersTime, containerId ? { containerId } : {})
    if (limited && ended.has(sheet)) return [{ place, message: `the grace days of the timesheet ${span} are over` }]
    return []
  })
}

/** The sheets of the caller whose grace days are over, by the caller's own day. */
async function endedGraces(ctx: Context, sheets: readonly KnownSheet[]): Promise<Set<KnownSheet>> {
  const own = sheets.filter(each => each.userId === ctx.caller.userId)
  if (own.length === 0) return new Set()
  const graces = new Map((await allCalendars(ctx)).map(each => [each.id, each.graceDays]))
  const today = localDay(ctx.now, ctx.caller.timezone)
  return new Set(own.filter(({ calendarId, to }) => isOver(to, graces.get(calendarId) ?? null, today)))
}

/** The grace ends at the midnight after its last day. */
export function isOver(to: string, graceDays: number | null, today: string): boolean {
  return graceDays !== null && today > Temporal.PlainDate.from(to).add({ days: graceDays }).toString()
}
