import { type Calendar, calendarOf } from '../calendar/calendar.ts'
import { roundTheClock, type Span, type WorkingTime, workingTime } from './working-time.ts'

/** The hours a clock had from some moment on (ms). */
export interface Version {
  version: number
  /** When somebody said so, and since when it counts. */
  made: number
  from: number
  /** 0 what is counted stays · 1 open cycles are counted anew · 2 the finished ones, too. */
  recalculate: number
  calendar: Calendar
}

/** A stretch of time, and the hours that count in it. */
export interface Leg {
  from: number
  time: WorkingTime
  /** Undefined where every minute counts. */
  calendar: Calendar | undefined
}

const maxKept = 100
const kept = new Map<string, WorkingTime>()

/** The same hours are worked out once in a process, whoever asks. */
export function workingTimeOf(calendar: Calendar): WorkingTime {
  const key = JSON.stringify(calendarOf(calendar))
  const known = kept.get(key) ?? workingTime(calendar)
  kept.delete(key)
  kept.set(key, known)
  if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? '')
  return known
}

/**
 * The hours by which a cycle is counted. What was counted stays as it was counted, and what is left goes by the new
 * hours; a version that asks for it counts a cycle anew from its beginning, and a finished one only if it says so.
 */
export function legsOf(versions: readonly Version[], ended: number | undefined): Leg[] {
  const legs: Leg[] = []
  const anew = (each: Version) => each.recalculate === 2 || (each.recalculate === 1 && (ended ?? Infinity) >= each.made)
  for (const each of versions) {
    if (legs.length > 0 && !anew(each) && ended !== undefined && ended < each.made) continue
    const leg = { from: each.from, time: workingTimeOf(each.calendar), calendar: each.calendar }
    if (legs.length === 0 || anew(each)) legs.splice(0, legs.length, { ...leg, from: Number.NEGATIVE_INFINITY })
    else {
      while ((legs.at(-1)?.from ?? 0) >= leg.from) legs.pop()
      legs.push(legs.length === 0 ? { ...leg, from: Number.NEGATIVE_INFINITY } : leg)
    }
  }
  return legs
}

export const everyMinute: readonly Leg[] = [
  { from: Number.NEGATIVE_INFINITY, time: roundTheClock, calendar: undefined },
]

/** The legs from a moment on, so that those of another clock can go before. */
export function legsFrom(legs: readonly Leg[], from: number): Leg[] {
  const at = legs.findLastIndex(leg => leg.from <= from)
  return legs.slice(at).map((leg, i) => (i === 0 ? { ...leg, from } : leg))
}

/** The legs that a span goes through, each with its part of it. */
export function through(legs: readonly Leg[], { from, to }: Span): (Span & { leg: Leg })[] {
  return legs.flatMap((leg, i) => {
    const until = legs[i + 1]?.from ?? Number.POSITIVE_INFINITY
    const part = { from: Math.max(from, leg.from), to: Math.min(to, until) }
    return part.from < part.to ? [{ ...part, leg }] : []
  })
}

/** How much of a span counts. */
export function counted(legs: readonly Leg[], span: Span): number {
  return through(legs, span).reduce((sum, { leg, from, to }) => sum + leg.time.between(from, to), 0)
}

/** The instant within a span (which may have no end) at which so much of it has counted; undefined if it never does. */
export function reached(legs: readonly Leg[], span: Span, amount: number): number | undefined {
  let left = amount
  for (const { leg, from, to } of through(legs, span)) {
    if (to === Number.POSITIVE_INFINITY) return within(() => leg.time.add(from, left))
    const open = leg.time.between(from, to)
    if (open > 0 && left <= open) return within(() => leg.time.add(from, left))
    left -= open
  }
  return undefined
}

/** A moment that no calendar reaches is none. */
function within(find: () => number): number | undefined {
  try {
    return find()
  } catch {
    return undefined
  }
}
