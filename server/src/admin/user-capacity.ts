import { isId } from '../kernel/id.ts'
import { entryOn } from '../records/dated.ts'
import { takenOn } from './leave/leave-span.ts'
import type { Absence, Capacity } from './user/dated-entries.ts'
import { defaultWeek, readWorkingHours } from './working-hours.ts'

/** The properties of a user that determine their capacity. */
export interface Worker {
  workingHours: string
  capacity: readonly Partial<Capacity>[]
  absence: readonly Partial<Absence>[]
}

/** The capacity of a user on a day, and its source. */
interface DayCapacity {
  /** The planned minutes without the absence. */
  minutes: number
  absentSeconds: number
  plannedMinutes: number
  /** The source of the planned minutes; the default is eight hours on weekdays. */
  source: 'capacity' | 'workingHours' | 'clock' | 'default'
  /** The first day of the entry of `capacity` in force. */
  since: string | null
  clockId: string
  absence: { from: string; to: string | null } | null
}

/** The open minutes of a clock on a day; undefined if the clock does not exist. */
export type ClockMinutes = (clockId: string, date: string, weekday: number) => number | undefined

/** A capacity entry takes precedence over the working hours, and those over the default week. An absence takes the day or half of it. */
export function capacityOn(worker: Worker, date: string, weekday: number, clock: ClockMinutes): DayCapacity {
  const planned = planOn(worker, date, weekday, clock)
  const away = worker.absence
    .map(({ from = '', to = null, fromHalf = 0, toHalf = 0 }) => ({ from, to, fromHalf, toHalf }))
    .filter(({ from, to }) => from <= date && (to === null || to >= date))
  const contract = planned.plannedMinutes * 60
  const absentSeconds = takenOn(away, date, contract)
  const [first] = away
  return {
    minutes: Math.round((contract - absentSeconds) / 60),
    absentSeconds,
    ...planned,
    absence: first ? { from: first.from, to: first.to } : null,
  }
}

type Plan = Pick<DayCapacity, 'plannedMinutes' | 'source' | 'since' | 'clockId'>

function planOn({ capacity, workingHours }: Worker, date: string, weekday: number, clock: ClockMinutes): Plan {
  const entry = entryOn(capacity.map(dated), date)
  const clockId = entry?.clockId || (isId(workingHours.trim()) ? workingHours.trim().toLowerCase() : '')
  const open = clockId === '' ? undefined : clock(clockId, date, weekday)
  const week = entry?.minutesPerWeekday ?? []
  if (entry && week.length === 7)
    // If the entry names a clock as well, days on which the clock is closed have no capacity.
    return {
      plannedMinutes: entry.clockId && open === 0 ? 0 : on(week, weekday),
      source: 'capacity',
      since: entry.from,
      clockId: entry.clockId ?? '',
    }
  if (open !== undefined) return { plannedMinutes: open, source: 'clock', since: entry?.from ?? null, clockId }
  const hours = readWorkingHours(workingHours)
  return {
    plannedMinutes: on(hours ?? defaultWeek, weekday),
    source: hours ? 'workingHours' : 'default',
    since: null,
    clockId: '',
  }
}

const on = (week: readonly number[], weekday: number) => week[weekday - 1] ?? 0
const dated = <E extends { from?: string }>(entry: E) => ({ ...entry, from: entry.from ?? '' })
