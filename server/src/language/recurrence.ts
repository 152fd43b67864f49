import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { isDate } from '../kernel/schema/formats.ts'
import { hasPosition, nextPossibleDay, type RuleParts } from './recurrence-days.ts'

// Recurrence rules of calendars (RFC 5545).

/** A rule, and the local time of its first occurrence. */
export interface Recurrence {
  rule: string
  /** The first day, `2026-03-31`, and the time of day, `09:00`. */
  day: string
  at: string
  timezone: string
}

/** A rule without an occurrence in this number of periods from a day on which it can hold counts as empty. */
const maxTries: Record<string, number> = {
  YEARLY: 100,
  MONTHLY: 400,
  WEEKLY: 400,
  DAILY: 400,
  HOURLY: 60,
  MINUTELY: 60,
}

/** The largest `COUNT`: it is counted from the first occurrence on. A longer series ends by `UNTIL`. */
const maxCount = 366
/** A series with `COUNT` that began before is over. */
const firstCountedYear = 1900

/** Returns the next occurrences after a moment; fewer than requested if the rule ends, none if it never holds. */
export function occurrences(given: Recurrence, after: Date, count: number): Temporal.ZonedDateTime[] {
  const { day, at, timezone } = given
  const dtstart = Temporal.PlainDateTime.from(`${day}T${at}`).toZonedDateTime(timezone)
  const parts = partsOf(given.rule)
  if (!hasPosition(parts)) return []
  const search = openSearch(new Map([...parts].filter(([name]) => name !== 'COUNT')), dtstart)
  if (!search(dtstart.epochMilliseconds - 1) || (parts.has('COUNT') && dtstart.year < firstCountedYear)) return []
  const most = parts.has('COUNT')
    ? Math.min(count, Number(parts.get('COUNT')) - countedUntil(given, search, dtstart, after.getTime()))
    : count
  const found: Temporal.ZonedDateTime[] = []
  for (let last = after.getTime(); found.length < most; ) {
    const next = search(last)
    if (!next) break
    found.push(next)
    last = next.epochMilliseconds
  }
  return found
}

type Search = ReturnType<typeof openSearch>

/** How far rules with `COUNT` are counted: their occurrences up to and including the last one. */
const counts = new Map<string, { counted: number; last: number }>()
const maxKnown = 500

/** Counts the occurrences of a rule up to a moment, at most its `COUNT`; what was counted before is not counted again. */
function countedUntil(given: Recurrence, search: Search, dtstart: Temporal.ZonedDateTime, moment: number): number {
  const key = JSON.stringify(given)
  const known = counts.get(key)
  let { counted, last } = known && known.last <= moment ? known : { counted: 0, last: dtstart.epochMilliseconds - 1 }
  const count = Number(partsOf(given.rule).get('COUNT'))
  while (counted < count) {
    const next = search(last)?.epochMilliseconds
    if (next === undefined || next > moment) break
    counted++
    last = next
  }
  counts.delete(key)
  counts.set(key, { counted, last })
  if (counts.size > maxKnown) counts.delete(counts.keys().next().value ?? '')
  return counted
}

/** Returns the function that finds the first occurrence after a moment. */
function openSearch(parts: RuleParts, dtstart: Temporal.ZonedDateTime) {
  const maxIterations = maxTries[parts.get('FREQ') ?? ''] ?? 1
  const rruleString = [...parts].map(part => part.join('=')).join(';')
  const times = new RRuleTemporal({ rruleString, dtstart, maxIterations })
  const nextAfter = (moment: number) => {
    try {
      const next = times.next(new Date(moment))
      return next ? Temporal.ZonedDateTime.from(next.toString()) : undefined
    } catch {
      return undefined // no occurrence within the tries
    }
  }
  return (last: number) => {
    const from = Math.max(last, dtstart.epochMilliseconds)
    const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(dtstart.timeZoneId)
    const today = Math.floor((from + offsetNanoseconds / 1e6) / dayMs)
    const first = nextPossibleDay(parts, today)
    if (first === undefined) return undefined
    if (first === today) {
      const next = nextAfter(last)
      if (next) return next
    }
    // The library tries each period between two possible days; it starts on the eve of the second instead.
    const second = first === today ? nextPossibleDay(parts, today + 1) : first
    return second === undefined ? undefined : nextAfter(Math.max(last, (second - 1) * dayMs))
  }
}

const dayMs = 86_400_000

/** The parts of a rule by name. */
function partsOf(rule: string): RuleParts {
  return new Map(
    plainRule(rule)
      .split(';')
      .map(part => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  )
}

function plainRule(text: string): string {
  return text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .replace(/;$/, '')
}

const signed = (most: number) => (text: string) =>
  /^[+-]?\d{1,3}$/.test(text) && inRange(Math.abs(Number(text)), 1, most)
const plain = (least: number, most: number) => (text: string) =>
  /^\d{1,9}$/.test(text) && inRange(Number(text), least, most)
const inRange = (value: number, least: number, most: number) => value >= least && value <= most
const weekday = /^(MO|TU|WE|TH|FR|SA|SU)$/

/** The parts of a recurrence rule (RFC 5545) and the permitted values of each. */
const rruleParts: Record<string, (value: string) => boolean> = {
  FREQ: value => /^(MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)$/.test(value),
  INTERVAL: plain(1, 1_000_000),
  COUNT: plain(1, maxCount),
  UNTIL: value => isDate(value.replace(/^(\d{4})(\d\d)(\d\d)(T([01]\d|2[0-3])[0-5]\d[0-5]\dZ?)?$/, '$1-$2-$3')),
  BYSECOND: plain(0, 59),
  BYMINUTE: plain(0, 59),
  BYHOUR: plain(0, 23),
  BYDAY: value => weekday.test(value.replace(/^[+-]?([1-9]|[1-4]\d|5[0-3])(?=[A-Z])/, '')),
  BYMONTHDAY: signed(31),
  BYYEARDAY: signed(366),
  BYWEEKNO: signed(53),
  BYMONTH: plain(1, 12),
  BYSETPOS: signed(366),
  WKST: value => weekday.test(value),
}

const single = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYSECOND', 'WKST']

/** Returns what is wrong with the text of a rule, if anything. */
export function rruleFault(text: string): string | undefined {
  const parts = plainRule(text).split(';')
  const given = new Map<string, string>()
  for (const part of parts) {
    const [name = '', ...rest] = part.split('=')
    const value = rest.join('=')
    const known = rruleParts[name]
    if (!known || !Object.hasOwn(rruleParts, name)) return `${name.slice(0, 40)} is not a supported part of an RRULE`
    if (given.has(name)) return `${name} occurs twice`
    const values = single.includes(name) ? [value] : value.split(',')
    if (name === 'COUNT' && Number(value) > maxCount)
      return `COUNT is at most ${maxCount}; a longer series ends by UNTIL`
    if (!values.every(known)) return `${name} of the RRULE cannot be read`
    given.set(name, value)
  }
  if (!given.has('FREQ')) return 'an RRULE needs FREQ'
  return given.has('COUNT') && given.has('UNTIL') ? 'an RRULE has COUNT or UNTIL, not both' : undefined
}
