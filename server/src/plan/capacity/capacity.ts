import { absentDaysOf, leaves } from '../../admin/leave/leave.ts'
import { type ClockMinutes, capacityReader, isAwayOn, type Worker } from '../../admin/user-capacity.ts'
import { type DayReader, dayReaderOf } from '../../clocks/calendar/calendar.ts'
import { type Clock, clocks } from '../../clocks/clock/clock.ts'
import { hoursPartsByClock } from '../../clocks/region/region.ts'
import { codeKind } from '../../finance/non-billable.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { ownTenant, raw } from '../../kernel/sql.ts'
import { type RowSource, storedRows } from '../../records/row-source.ts'
import { together } from '../../records/together.ts'
import { timeState } from '../../time/time-state.ts'

// What a user can work on a day: the contract without the holidays of its clock, less the absence. It is read for many
// users and days at once, with a fixed number of statements.

/** A calendar day; the weekday is 1 for Monday to 7. */
export interface Day {
  date: string
  weekday: number
}

/** What a user can work on a day, in seconds, with the source of the contract as `capacityReader` tells it. */
export interface UserDay extends ReturnType<ReturnType<typeof capacityReader>> {
  date: string
  /** The seconds if there were no absence. */
  contract: number
  leave: number
  /** The contract without the absence. */
  capacity: number
  /** The name of the holiday or day off of the user's clock, which may be empty; null if the day is none. */
  holiday: string | null
}

const dayLength = 86_400_000

/** The days from one date to another, both included. */
export function daysBetween(from: string, to: string): Day[] {
  const count = Math.max(0, (Date.parse(to) - Date.parse(from)) / dayLength + 1)
  return Array.from({ length: count }, (_, i) => {
    // A day without a time is one of UTC, where all days are equally long.
    const day = new Date(Date.parse(from) + i * dayLength)
    return { date: day.toISOString().split('T', 1).join(''), weekday: day.getUTCDay() || 7 }
  })
}

/** The days of these users; users who do not exist are left out. Users can share days, and all of them. */
export async function capacities(
  ctx: Context,
  userIds: readonly Id[],
  days: readonly Day[],
  rows: RowSource = storedRows,
): Promise<Map<Id, readonly UserDay[]>> {
  const [workers, booked] = await together([workersOf(ctx, userIds, rows), bookedLeave(ctx, userIds, days)])
  const read = daysReader(days, await clockDays(ctx, workers))
  return new Map(workers.map(worker => [worker.id, read(worker, booked.get(worker.id))]))
}

/**
 * Reads the days of users. Many have the same contract, whose days are computed once; only those on which a user is away are their own.
 *
 * Leave that is approved and time that is booked on a code of leave tell of the same absence, so that the longer one counts;
 * nobody is absent for longer than they would work.
 */
export function daysReader(days: readonly Day[], clock: ClockDays) {
  const byContract = new Map<string, readonly UserDay[]>()
  const present = (worker: Worker): readonly UserDay[] => {
    const contract = JSON.stringify([worker.workingHours, worker.capacity])
    const known = byContract.get(contract) ?? days.map(dayReader({ ...worker, absence: [] }, clock))
    byContract.set(contract, known)
    return known
  }
  return (worker: Worker, booked: ReadonlyMap<string, number> = new Map()): readonly UserDay[] => {
    const usual = present(worker)
    if (worker.absence.length === 0 && booked.size === 0) return usual
    const dayOn = dayReader(worker, clock, booked)
    return days.map(
      (day, i) => (isAwayOn(worker.absence, day.date) || booked.has(day.date) ? undefined : usual[i]) ?? dayOn(day),
    )
  }
}

function dayReader(worker: Worker, clock: ClockDays, booked?: ReadonlyMap<string, number>): (day: Day) => UserDay {
  const capacityOn = capacityReader(worker, clock.minutes)
  return ({ date, weekday }) => {
    const found = capacityOn(date, weekday)
    const contract = found.plannedMinutes * 60
    const leave = Math.min(contract, Math.max(found.absentSeconds, booked?.get(date) ?? 0))
    const capacity = contract - leave
    const holiday = clock.holiday(found.clockId, date, weekday)
    return { ...found, date, contract, leave, capacity, holiday, minutes: Math.round(capacity / 60) }
  }
}

interface KnownWorker extends Worker {
  id: Id
}

async function workersOf(ctx: Context, userIds: readonly Id[], rows: RowSource): Promise<KnownWorker[]> {
  return await ctx.sql<KnownWorker>`select u.id, u.working_hours as "workingHours", u.capacity, ${absentDaysOf(raw('u'), rows(leaves))} as absence from "user" u
    where u.tenant_id = ${ctx.caller.tenantId} and u.id = any(${userIds}::uuid[])`
}

/** What the clocks say about a day. */
interface ClockDays {
  minutes: ClockMinutes
  holiday: (clockId: string, date: string, weekday: number) => string | null
}

/** Reads the clocks that the working hours and the entries of users name. */
async function clockDays(ctx: Context, workers: readonly Worker[]): Promise<ClockDays> {
  const named = workers.flatMap(({ workingHours, capacity }) =>
    [workingHours.trim(), ...capacity.map(each => each.clockId ?? '')].filter(isId),
  )
  const rows =
    named.length === 0
      ? []
      : await ctx.sql<{ json: string }>`select ${clocks.json(raw('t'))} as json from clock t
          where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${[...new Set(named)]}::uuid[]) and not t.deleted`
  const hours = await hoursPartsByClock(
    ctx,
    rows.map(({ json }): Clock => JSON.parse(json)),
  )
  const readers = new Map([...hours].map(([clockId, parts]) => [clockId, dayReaderOf(parts)]))
  const dayOf: (...day: Parameters<ClockMinutes>) => ReturnType<DayReader> | undefined = (clockId, date, weekday) =>
    readers.get(clockId.toLowerCase())?.(date, weekday)
  return {
    minutes: (...day) => dayOf(...day)?.hours.reduce((sum, { from, to }) => sum + Math.round((to - from) / 60), 0),
    holiday(...day) {
      const found = dayOf(...day)
      return found?.because === 'holiday' || found?.because === 'day-off' ? (found.name ?? '') : null
    },
  }
}

/** The seconds that users have booked on codes of leave, by user and day. */
async function bookedLeave(
  ctx: Context,
  userIds: readonly Id[],
  days: readonly Day[],
): Promise<Map<Id, Map<string, number>>> {
  const rows = await ctx.sql<{ userId: Id; date: string; seconds: number }>`
    select t.user_id as "userId", t.date, sum(t.seconds)::int as seconds
    from time t join non_billable n on n.tenant_id = ${ownTenant} and n.id = t.non_billable
    where t.tenant_id = ${ctx.caller.tenantId} and t.user_id = any(${userIds}::uuid[])
      and t.date between ${days[0]?.date ?? null}::date and ${days.at(-1)?.date ?? null}::date
      and not t.deleted and t.state <> ${timeState.draft}
      and n.kind in (${codeKind.leave}, ${codeKind.sick}, ${codeKind.holiday})
    group by t.user_id, t.date`
  const byUser = Map.groupBy(rows, row => row.userId)
  return new Map([...byUser].map(([userId, own]) => [userId, new Map(own.map(row => [row.date, row.seconds]))]))
}
