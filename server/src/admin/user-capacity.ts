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

/**
 * Reads the capacity of a user on any day. A capacity entry takes precedence over the working hours, and those over the default week.
 * An absence takes the day or half of it. What is the same on all days is read once, because a report asks for thousands of them.
 */
export function capacityReader(worker: Worker, clock: ClockMinutes): (date: string, weekday: number) => DayCapacity {
  const planOn = planReader(worker, clock)
  const absences = worker.absence.map(each => ({ from: '', to: null, fromHalf: 0, toHalf: 0, ...each }))
  return (date, weekday) => {
    const { plannedMinutes, source, since, clockId } = planOn(date, weekday)
    const away = absences.filter(each => covers(each, date))
    const contract = plannedMinutes * 60
    const absentSeconds = takenOn(away, date, contract)
    const [first] = away
    const absence = first ? { from: first.from, to: first.to } : null
    const minutes = Math.round((contract - absentSeconds) / 60)
    return { minutes, absentSeconds, plannedMinutes, source, since, clockId, absence }
  }
}

/** Whether one of these absences takes the day or a part of it. */
export function isAwayOn(absence: Worker['absence'], date: string): boolean {
  return absence.some(each => covers(each, date))
}

const covers = ({ from = '', to = null }: Partial<Absence>, date: string) => from <= date && (to === null || to >= date)

type Plan = Pick<DayCapacity, 'plannedMinutes' | 'source' | 'since' | 'clockId'>

function planReader(worker: Worker, clock: ClockMinutes): (date: string, weekday: number) => Plan {
  const entries = worker.capacity.map(dated)
  const named = worker.workingHours.trim().toLowerCase()
  const clockOfHours = isId(named) ? named : ''
  const hours = readWorkingHours(worker.workingHours)
  return (date, weekday) => {
    const entry = entryOn(entries, date)
    const clockId = entry?.clockId || clockOfHours
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
    return {
      plannedMinutes: on(hours ?? defaultWeek, weekday),
      source: hours ? 'workingHours' : 'default',
      since: null,
      clockId: '',
    }
  }
}

const on = (week: readonly number[], weekday: number) => week[weekday - 1] ?? 0
const dated = <E extends { from?: string }>(entry: E) => ({ ...entry, from: entry.from ?? '' })
