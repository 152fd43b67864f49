import { Temporal } from 'temporal-polyfill'
import type { Worker } from '../../admin/user-capacity.ts'
import { readShifts, readWorkingHours } from '../../admin/working-hours.ts'
import { isId } from '../../kernel/id.ts'
import { entryOn } from '../../records/dated.ts'

/** The properties of a user that tell when they work. */
export interface Hours extends Pick<Worker, 'workingHours' | 'capacity'> {
  timezone: string
}

/** A moment in the time zone of a user, and whether they work then. */
interface LocalMoment {
  date: string
  isAfternoon: boolean
  /** The clock whose working time decides; empty if `offShift` does. */
  clockId: string
  /** By the working hours and the capacity of the user. Somebody who has given neither is never off shift. */
  offShift: boolean
}

export function localMoment(now: Date, { timezone, workingHours, capacity }: Hours): LocalMoment {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone || 'UTC')
  const [date, weekday] = [local.toPlainDate().toString(), local.dayOfWeek]
  const entry = entryOn(
    capacity.map(each => ({ ...each, from: each.from ?? '' })),
    date,
  )
  const planned = entry?.minutesPerWeekday?.[weekday - 1]
  const named = entry?.clockId || workingHours.trim()
  return {
    date,
    isAfternoon: local.hour >= 12,
    clockId: planned !== 0 && isId(named) ? named.toLowerCase() : '',
    offShift: (planned ?? readDay(workingHours, weekday)) === 0 || isOutside(workingHours, weekday, local),
  }
}

/** The minutes of a day by working hours such as `40` or `8h`; undefined if they are shifts, or none. */
function readDay(workingHours: string, weekday: number): number | undefined {
  return readShifts(workingHours) ? undefined : readWorkingHours(workingHours)?.[weekday - 1]
}

/** Whether a time is outside of shifts such as `Mon-Fri 09:00-17:30`. */
function isOutside(workingHours: string, weekday: number, local: Temporal.ZonedDateTime): boolean {
  const shifts = readShifts(workingHours) ?? []
  const time = local.toPlainTime().toString().slice(0, 5)
  const yesterday = ((weekday + 5) % 7) + 1
  const isInside = shifts.some(({ days, start, end }) =>
    start < end
      ? days.has(weekday) && time >= start && time < end
      : // It runs over midnight and belongs to the day it starts on.
        (days.has(weekday) && time >= start) || (days.has(yesterday) && time < end),
  )
  return shifts.length > 0 && !isInside
}
