import { isId } from '../kernel/id.ts'
import { type Absence, type Capacity, entryOn } from './user/dated-entries.ts'
import { defaultWeek, readWorkingHours } from './working-hours.ts'

/** What somebody says about their time. */
export interface Worker {
  workingHours: string
  capacity: readonly Partial<Capacity>[]
  absence: readonly Partial<Absence>[]
}

/** What somebody can do on a day, and why. */
export interface DayCapacity {
  /** What is left of it: nothing, when they are away. */
  minutes: number
  plannedMinutes: number
  /** Where the plan comes from; the default is eight hours on weekdays. */
  source: 'capacity' | 'workingHours' | 'clock' | 'default'
  /** The first day of the entry of `capacity` that counts. */
  since: string | null
  clockId: string
  absence: { from: string; to: string | null } | null
}

/** How many minutes a clock is open on a day; undefined if there is no such clock. */
export type ClockMinutes = (clockId: string, date: string, weekday: number) => number | undefined

/** An entry of capacity comes before the working hours, those before what is usual; whoever is away does nothing. */
export function capacityOn(worker: Worker, date: string, weekday: number, clock: ClockMinutes): DayCapacity {
  const planned = planOn(worker, date, weekday, clock)
  const away = entryOn(worker.absence.map(dated), date)
  return {
    minutes: away ? 0 : planned.plannedMinutes,
    ...planned,
    absence: away ? { from: away.from, to: away.to ?? null } : null,
  }
}

type Plan = Pick<DayCapacity, 'plannedMinutes' | 'source' | 'since' | 'clockId'>

function planOn({ capacity, workingHours }: Worker, date: string, weekday: number, clock: ClockMinutes): Plan {
  const entry = entryOn(capacity.map(dated), date)
  const clockId = entry?.clockId || (isId(workingHours.trim()) ? workingHours.trim().toLowerCase() : '')
  const open = clockId === '' ? undefined : clock(clockId, date, weekday)
  const week = entry?.minutesPerWeekday ?? []
  if (entry && week.length === 7)
    // Where a clock is named beside them, its days off are days off.
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
