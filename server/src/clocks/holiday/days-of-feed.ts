import ICAL from 'ical.js'
import type { FeedDays } from './holiday-thread.ts'

/** Days of one feed: several calendars of a country, each with all its holidays. */
const maxDays = 2000
const longestName = 200
const day = 86_400_000

interface Years {
  first: number
  last: number
}

/**
 * The all-day events of an iCalendar text in some years, day by day. Whether somebody counts as busy (`TRANSP`) says
 * nothing of a holiday; what has a time of day is none, and is counted only.
 */
export function daysOfFeed(text: string, years: Years): FeedDays {
  const events = calendarsIn(text).flatMap(each => each.getAllSubcomponents('vevent'))
  try {
    return daysOf(events, years)
  } catch (error) {
    // What the library says of it quotes it; what came is nobody's to see.
    throw error instanceof TooMany ? error : new Error('an event in it cannot be read')
  }
}

class TooMany extends Error {}

function daysOf(events: readonly ICAL.Component[], { first, last }: Years): FeedDays {
  const [from, to] = [Date.UTC(first, 0, 1), Date.UTC(last, 11, 31)]
  const moved = movedDays(events)
  const names = new Map<number, string>()
  let timed = 0
  for (const event of events) {
    if (textOf(event, 'status').toUpperCase() === 'CANCELLED') continue
    const start = event.getFirstPropertyValue('dtstart')
    if (!(start instanceof ICAL.Time)) continue
    if (!start.isDate) {
      timed++
      continue
    }
    const name = nameOf(event)
    const length = lengthOf(event, start)
    for (const begin of startsOf(event, start, to, moved)) {
      for (let date = Math.max(begin, from); date < begin + length * day && date <= to; date += day) {
        if (!names.has(date)) names.set(date, name)
        if (names.size > maxDays) throw new TooMany(`it has more than ${maxDays} days`)
      }
    }
  }
  const days = [...names].sort(([a], [b]) => a - b).map(([date, name]) => ({ date: dateOf(date), name }))
  return { days, timed }
}

/** One calendar, or several one after the other. */
function calendarsIn(text: string): ICAL.Component[] {
  let parsed: unknown[]
  try {
    parsed = ICAL.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new Error('it is no iCalendar')
  }
  const several = Array.isArray(parsed[0]) ? parsed : [parsed]
  const calendars = several
    .filter(each => Array.isArray(each))
    .map(each => new ICAL.Component(each))
    .filter(each => each.name === 'vcalendar')
  if (calendars.length === 0) throw new Error('it is no iCalendar')
  return calendars
}

/** Of events that come back, the days on which another stands in for them, or none. */
function movedDays(events: readonly ICAL.Component[]): Map<string, Set<number>> {
  const moved = new Map<string, Set<number>>()
  for (const event of events) {
    const instead = event.getFirstPropertyValue('recurrence-id')
    if (!(instead instanceof ICAL.Time)) continue
    const uid = textOf(event, 'uid')
    moved.set(uid, (moved.get(uid) ?? new Set()).add(daysSince(instead)))
  }
  return moved
}

/** When an event begins, each time that it does, up to the last day that matters. */
function* startsOf(
  event: ICAL.Component,
  start: ICAL.Time,
  to: number,
  moved: ReadonlyMap<string, ReadonlySet<number>>,
): Generator<number> {
  if (event.hasProperty('recurrence-id')) {
    yield daysSince(start)
    return
  }
  const left = new Set(timesOf(event, 'exdate').map(daysSince))
  const instead = moved.get(textOf(event, 'uid'))
  const counts = (begin: number) => !left.has(begin) && !instead?.has(begin)
  for (const begin of [start, ...timesOf(event, 'rdate')].map(daysSince)) if (counts(begin)) yield begin
  for (const property of event.getAllProperties('rrule')) {
    const rule: unknown = property.getFirstValue()
    if (!(rule instanceof ICAL.Recur)) continue
    const iterator = rule.iterator(start)
    for (let next = iterator.next(); next; next = iterator.next()) {
      const begin = daysSince(next)
      if (begin > to) break
      if (counts(begin)) yield begin
    }
  }
}

/** In days; the end of an all-day event is the first day behind it. */
function lengthOf(event: ICAL.Component, start: ICAL.Time): number {
  const end = event.getFirstPropertyValue('dtend')
  if (end instanceof ICAL.Time) return Math.max(1, (daysSince(end) - daysSince(start)) / day)
  const duration = event.getFirstPropertyValue('duration')
  return duration instanceof ICAL.Duration ? Math.max(1, Math.floor((duration.toSeconds() * 1000) / day)) : 1
}

function timesOf(event: ICAL.Component, name: string): ICAL.Time[] {
  return event
    .getAllProperties(name)
    .flatMap((property): unknown[] => property.getValues())
    .filter(each => each instanceof ICAL.Time)
}

const daysSince = ({ year, month, day: date }: ICAL.Time) => Date.UTC(year, month - 1, date)

/** What is stored is one line of whole characters. */
function nameOf(event: ICAL.Component): string {
  const line = textOf(event, 'summary').replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
  return line
    .trim()
    .slice(0, longestName)
    .replace(/[\uD800-\uDBFF]$/, '')
}

const dateOf = (date: number) => new Date(date).toISOString().slice(0, 10)

function textOf(event: ICAL.Component, name: string): string {
  const value = event.getFirstPropertyValue(name)
  return typeof value === 'string' ? value : ''
}
