import type { Calendar, DayReader } from '../calendar/calendar.ts'
import { clip, mergeSpans, type TimeSpan } from './time-span.ts'
import { instantOfLocal, zoneOffsets } from './zone-offsets.ts'

const day = 86_400_000

/** One year of a calendar: its open spans, and how much was open in the year before each of them. */
export interface CalendarYear extends TimeSpan {
  spans: readonly TimeSpan[]
  before: readonly number[]
  total: number
}

/** Computes the open spans of a year. */
export function calendarYear(calendar: Calendar, read: DayReader, number: number): CalendarYear {
  const [first, last] = [Date.UTC(number, 0, 1), Date.UTC(number + 1, 0, 1)]
  const offsets = zoneOffsets(calendar.timezone, first - 3 * day, last + 3 * day)
  const found: TimeSpan[] = []
  // A night shift or a change of the offset moves hours across the turn of the year, so the neighbouring days are read, too.
  for (let date = first - 2 * day; date < last + day; date += day) {
    const at = new Date(date)
    for (const { from, to } of read(at.toISOString().slice(0, 10), at.getUTCDay() || 7).hours)
      found.push({
        from: instantOfLocal(offsets, date + from * 1000, false),
        to: instantOfLocal(offsets, date + to * 1000, true),
      })
  }
  const bounds = { from: instantOfLocal(offsets, first, false), to: instantOfLocal(offsets, last, false) }
  return summedYear(
    bounds,
    mergeSpans(found).flatMap(each => clip(each, bounds)),
  )
}

/** A year with these open spans, which must be merged. */
export function summedYear(bounds: TimeSpan, spans: readonly TimeSpan[]): CalendarYear {
  const before: number[] = []
  let total = 0
  for (const { from, to } of spans) {
    before.push(total)
    total += to - from
  }
  return { ...bounds, spans, before, total }
}

/** How much of the year was open before an instant. */
export function openBefore({ spans, before }: CalendarYear, instant: number): number {
  const i = lastBegun(spans, instant)
  const span = spans[i]
  return span ? (before[i] ?? 0) + Math.min(instant, span.to) - span.from : 0
}

/** The index of the last span that begins at or before an instant, or -1. */
function lastBegun(spans: readonly TimeSpan[], instant: number): number {
  return lastIndexWhere(spans.length, i => (spans[i]?.from ?? 0) <= instant)
}

/** Binary search for the last index for which a condition holds; it must hold for all indexes before that. */
export function lastIndexWhere(length: number, holds: (i: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low - 1
}
