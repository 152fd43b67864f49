import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { isDate } from '../kernel/schema/formats.ts'

// Recurrence rules of calendars (RFC 5545).

/** A rule, and the local time of its first occurrence. */
export interface Recurrence {
  rule: string
  /** The first day, `2026-03-31`, and the time of day, `09:00`. */
  day: string
  at: string
  timezone: string
}

/** A rule without an occurrence in this number of tries counts as empty. */
const maxTries = 20_000

/** Returns the next occurrences after a moment; fewer than requested if the rule ends, none if it never holds. */
export function occurrences(
  { rule, day, at, timezone }: Recurrence,
  after: Date,
  count: number,
): Temporal.ZonedDateTime[] {
  const dtstart = Temporal.PlainDateTime.from(`${day}T${at}`).toZonedDateTime(timezone)
  const found: Temporal.ZonedDateTime[] = []
  try {
    const times = new RRuleTemporal({ rruleString: plainRule(rule), dtstart, maxIterations: maxTries })
    for (let last = after; found.length < count; ) {
      const next = times.next(last)
      if (!next) break
      found.push(Temporal.ZonedDateTime.from(next.toString()))
      last = new Date(next.epochMilliseconds)
    }
  } catch {
    // The library throws for a rule that never holds, such as every 30th of February.
  }
  return found
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
