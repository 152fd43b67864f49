import ICAL from 'ical.js'
import type { FeedDays } from './holiday-thread.ts'

/** The limit for one feed; it leaves room for several calendars of a country in one file. */
const maxDays = 2000
const maxNameLength = 200
const day = 86_400_000

interface Years {
  first: number
  last: number
}

/**
 * Returns the days of the all-day events of an iCalendar text within some years. Events with a time of day are not
 * holidays and are only counted. `TRANSP` is ignored, because calendars mark holidays as free or busy alike.
 */
export function daysOfFeed(text: string, years: Years): FeedDays {
  const events = calendarsIn(text).flatMap(each => each.getAllSubcomponents('vevent'))
  try {
    return daysOf(events, years)
  } catch (error) {
    // The message of the library quotes the fetched text, which must not be shown: it may come from an internal host.
    throw error instanceof TooManyDays ? error : new Error('an event of the calendar cannot be read')
  }
}

class TooManyDays extends Error {}

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
        if (names.size > maxDays) throw new TooManyDays(`the calendar has more than ${maxDays} days`)
      }
    }
  }
  const days = [...names].sort(([a], [b]) => a - b).map(([date, name]) => ({ date: dateOf(date), name }))
  return { days, timed }
}

/** A text holds one calendar, or several in sequence. */
function calendarsIn(text: string): ICAL.Component[] {
  let parsed: unknown[]
  try {
    parsed = ICAL.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new Error('the text is not an iCalendar')
  }
  const several = Array.isArray(parsed[0]) ? parsed : [parsed]
  const calendars = several
    .filter(each => Array.isArray(each))
    .map(each => new ICAL.Component(each))
    .filter(each => each.name === 'vcalendar')
  if (calendars.length === 0) throw new Error('the text is not an iCalendar')
  return calendars
}

/** Returns the days of recurring events, by uid, that another event replaces or that are cancelled. */
function movedDays(events: readonly ICAL.Component[]): Map<string, Set<number>> {
  const moved = new Map<string, Set<number>>()
  for (const event of events) {
    const replaced = event.getFirstPropertyValue('recurrence-id')
    if (!(replaced instanceof ICAL.Time)) continue
    const uid = textOf(event, 'uid')
    moved.set(uid, (moved.get(uid) ?? new Set()).add(midnightOf(replaced)))
  }
  return moved
}

/** Yields the first day of each occurrence of an event, up to the last day that is asked for. */
function* startsOf(
  event: ICAL.Component,
  start: ICAL.Time,
  to: number,
  moved: ReadonlyMap<string, ReadonlySet<number>>,
): Generator<number> {
  if (event.hasProperty('recurrence-id')) {
    yield midnightOf(start)
    return
  }
  const excluded = new Set(timesOf(event, 'exdate').map(midnightOf))
  const replaced = moved.get(textOf(event, 'uid'))
  const counts = (begin: number) => !excluded.has(begin) && !replaced?.has(begin)
  for (const begin of [start, ...timesOf(event, 'rdate')].map(midnightOf)) if (counts(begin)) yield begin
  for (const property of event.getAllProperties('rrule')) {
    const rule: unknown = property.getFirstValue()
    if (!(rule instanceof ICAL.Recur)) continue
    const iterator = rule.iterator(start)
    for (let next = iterator.next(); next; next = iterator.next()) {
      const begin = midnightOf(next)
      if (begin > to) break
      if (counts(begin)) yield begin
    }
  }
}

/** Returns the length in days. The end of an all-day event is exclusive. */
function lengthOf(event: ICAL.Component, start: ICAL.Time): number {
  const end = event.getFirstPropertyValue('dtend')
  if (end instanceof ICAL.Time) return Math.max(1, (midnightOf(end) - midnightOf(start)) / day)
  const duration = event.getFirstPropertyValue('duration')
  return duration instanceof ICAL.Duration ? Math.max(1, Math.floor((duration.toSeconds() * 1000) / day)) : 1
}

function timesOf(event: ICAL.Component, name: string): ICAL.Time[] {
  return event
    .getAllProperties(name)
    .flatMap((property): unknown[] => property.getValues())
    .filter(each => each instanceof ICAL.Time)
}

const midnightOf = ({ year, month, day: date }: ICAL.Time) => Date.UTC(year, month - 1, date)

/** Returns the summary as one line without control characters or broken surrogate pairs, which PostgreSQL refuses. */
function nameOf(event: ICAL.Component): string {
  const line = textOf(event, 'summary').replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
  return line
    .trim()
    .slice(0, maxNameLength)
    .replace(/[\uD800-\uDBFF]$/, '')
}

const dateOf = (date: number) => new Date(date).toISOString().slice(0, 10)

function textOf(event: ICAL.Component, name: string): string {
  const value = event.getFirstPropertyValue(name)
  return typeof value === 'string' ? value : ''
}
