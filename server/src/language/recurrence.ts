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

/** A rule with `COUNT` is counted from its first occurrence on, through at most this number of periods. */
const maxCounted = 20_000

/** Returns the next occurrences after a moment; fewer than requested if the rule ends, none if it never holds. */
export function occurrences(given: Recurrence, after: Date, count: number): Temporal.ZonedDateTime[] {
  const { day, at, timezone } = given
  const dtstart = Temporal.PlainDateTime.from(`${day}T${at}`).toZonedDateTime(timezone)
  const parts = partsOf(given.rule)
  if (!hasPosition(parts)) return []
  const endless = openSearch(new Map([...parts].filter(([name]) => name !== 'COUNT')), dtstart)
  if (!endless(dtstart.epochMilliseconds - 1)) return []
  const search = parts.has('COUNT') ? openSearch(parts, dtstart) : endless
  const found: Temporal.ZonedDateTime[] = []
  for (let last = after.getTime(); found.length < count; ) {
    const next = search(last)
    if (!next) break
    found.push(next)
    last = next.epochMilliseconds
  }
  return found
}

/** Returns the function that finds the first occurrence after a moment. */
function openSearch(parts: RuleParts, dtstart: Temporal.ZonedDateTime) {
  const maxIterations = parts.has('COUNT') ? maxCounted : (maxTries[parts.get('FREQ') ?? ''] ?? 1)
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
      if (next || parts.has('COUNT')) return next
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
  COUNT: plain(1, 1_000_000),
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
    if (!values.every(known)) return `${name} of the RRULE cannot be read`
    given.set(name, value)
  }
  if (!given.has('FREQ')) return 'an RRULE needs FREQ'
  return given.has('COUNT') && given.has('UNTIL') ? 'an RRULE has COUNT or UNTIL, not both' : undefined
}
