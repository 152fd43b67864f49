import { isTimeOfDay, weekday } from '../kernel/schema/formats.ts'

/** Minutes of work on each day of a week, Monday first. */
type Week = readonly [number, number, number, number, number, number, number]

/** Eight hours from Monday to Friday, for users without readable working hours. */
export const defaultWeek: Week = [480, 480, 480, 480, 480, 0, 0]

/**
 * Parses working hours: `40` (hours a week), `8h` (a day), `Mon-Fri 09:00-17:30`, or several of the last form separated by
 * commas. Returns undefined if the text has none of these forms.
 */
export function readWorkingHours(text: string): Week | undefined {
  const plain = text.trim().toLowerCase()
  const week = /^(\d{1,3}(?:\.\d+)?)(?:\s*h\s*\/?\s*(?:w|week))?$/.exec(plain)
  if (week) return fiveDayWeek((Number(week[1]) * 60) / 5)
  const day = /^(\d{1,2}(?:\.\d+)?)\s*h(?:\s*\/?\s*(?:d|day))?$/.exec(plain)
  if (day) return fiveDayWeek(Number(day[1]) * 60)
  const parts = plain.split(/[,;]/).map(readShift)
  if (parts.some(part => part === undefined)) return undefined
  const minutes = Array.from({ length: 7 }, (_, i) =>
    parts.reduce((sum, part) => sum + (part?.days.has(i + 1) ? part.minutes : 0), 0),
  )
  return asWeek(minutes)
}

function fiveDayWeek(minutes: number): Week | undefined {
  return asWeek([...Array.from({ length: 5 }, () => Math.round(minutes)), 0, 0])
}

function asWeek(minutes: readonly number[]): Week | undefined {
  const [mo = 0, tu = 0, we = 0, th = 0, fr = 0, sa = 0, su = 0] = minutes
  return minutes.every(each => each <= 1440) ? [mo, tu, we, th, fr, sa, su] : undefined
}

/** Parses working hours of the form `Mon-Fri 09:00-17:30`; undefined if the text has another form. */
export function readShifts(text: string): Shift[] | undefined {
  const parts = text.trim().toLowerCase().split(/[,;]/).map(readShift)
  const known = parts.filter(part => part !== undefined)
  return known.length === parts.length ? known : undefined
}

interface Shift {
  /** 1 is Monday, 7 is Sunday. */
  days: Set<number>
  start: string
  end: string
  minutes: number
}

/** Parses one shift such as `mon-fri 09:00-17:30`. */
function readShift(text: string): Shift | undefined {
  const [, from = '', to = '', opens = '', closes = ''] =
    /^\s*([a-z]+)(?:\s*-\s*([a-z]+))?\s+(\d\d:\d\d)\s*-\s*(\d\d:\d\d)\s*$/.exec(text) ?? []
  const [first, last] = [weekday(from), weekday(to || from)]
  if (!first || !last || !isTimeOfDay(opens) || !isTimeOfDay(closes)) return undefined
  const days = new Set<number>()
  for (let day = first; ; day = (day % 7) + 1) {
    days.add(day)
    if (day === last) break
  }
  const length = minutesOf(closes) - minutesOf(opens)
  return { days, start: opens, end: closes, minutes: length > 0 ? length : length + 1440 }
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}
