import { Type } from 'typebox'
import { Part } from '../../kernel/schema/values.ts'
import {
  type DayNumber,
  dateOf,
  dayNumber,
  nextOpen,
  openDaysBetween,
  stepDays,
  type WorkCalendar,
} from '../schedule/work-calendar.ts'

/** The distance of a date from an anchor. */
export interface DateOffset {
  days?: number
  working?: boolean
}

const maxDays = 3650

/** The property of an item of a template that holds a distance. */
export function dateOffset(description: string) {
  return Type.Unsafe<DateOffset | null>({
    ...Part(
      {
        days: Type.Integer({ minimum: -maxDays, maximum: maxDays }),
        working: Type.Boolean({
          description:
            'Whether working days of the container are counted: those of its clock, else Monday to Friday. Calendar days if not.',
        }),
      },
      ['days'],
    ),
    nullable: true,
    description,
  })
}

/** The date at a distance from the anchor. No working days from an anchor on a closed day is the next working day. */
export function dateAt(calendar: WorkCalendar, anchor: string, { days = 0, working = false }: DateOffset): string {
  const from = dayNumber(anchor)
  return dateOf(working ? workingDay(calendar, from, days) : from + days)
}

function workingDay(calendar: WorkCalendar, from: DayNumber, days: number): DayNumber {
  return days === 0 ? nextOpen(calendar, from) : stepDays(calendar, from, days)
}

/**
 * The distance of a date from the anchor; undefined if it is too far. A date on a closed day has none in working days, so its
 * distance is in calendar days.
 */
export function offsetOf(
  calendar: WorkCalendar,
  anchor: string,
  date: string,
  working: boolean,
): DateOffset | undefined {
  const [from, to] = [dayNumber(anchor), dayNumber(date)]
  if (Math.abs(to - from) > maxDays) return undefined
  if (working) {
    const days = openDaysBetween(calendar, from, to)
    if (workingDay(calendar, from, days) === to) return { days, working }
  }
  return { days: to - from, working: false }
}
