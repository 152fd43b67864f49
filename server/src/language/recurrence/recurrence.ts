import { Temporal } from 'temporal-polyfill'
import { isDate } from '../../kernel/schema/formats.ts'
import { countedUntil } from './recurrence-count.ts'
import { hasPosition, maxInPeriod, type RuleParts } from './recurrence-days.ts'
import { openSearch } from './recurrence-search.ts'

// Recurrence rules of calendars (RFC 5545).

/** A rule, and the local time of its first occurrence. */
export interface Recurrence {
  rule: string
  /** The first day, `2026-03-31`, and the time of day, `09:00`. */
  day: string
  at: string
  timezone: string
}

/** The most occurrences in one period, of which the library lists all to find the next one; of a new rule in a year. */
const maxPerPeriod = 366
const maxPerYear = 100

/** The largest `COUNT`: it is counted from the first occurrence on. A longer series ends by `UNTIL`. */
const maxCount = 366
/** A series with `COUNT` that began before is over. */
const firstCountedYear = 1900

/** Returns the next occurrences after a moment; fewer than requested if the rule ends, none if it never holds. */
export function occurrences(given: Recurrence, after: Date, count: number): Temporal.ZonedDateTime[] {
  const { day, at, timezone } = given
  const dtstart = Temporal.PlainDateTime.from(`${day}T${at}`).toZonedDateTime(timezone)
  const parts = partsOf(given.rule)
  if (!hasPosition(parts) || maxInPeriod(parts) > maxPerPeriod) return []
  const endless: RuleParts = new Map([...parts].filter(([name]) => name !== 'COUNT'))
  const search = openSearch(endless, dtstart)
  if (!search(dtstart.epochMilliseconds - 1) || (parts.has('COUNT') && dtstart.year < firstCountedYear)) return []
  const total = Number(parts.get('COUNT'))
  const most = parts.has('COUNT')
    ? Math.min(
        count,
        total - countedUntil(JSON.stringify(given), endless, dtstart, { count: total, moment: after.getTime() }),
      )
    : count
  const found: Temporal.ZonedDateTime[] = []
  for (let last = after.getTime(); found.length < most; ) {
    const next = search(last)
    if (!next) break
    found.push(Temporal.ZonedDateTime.from(next.toString()))
    last = next.epochMilliseconds
  }
  return found
}

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
  const most = given.get('FREQ') === 'YEARLY' ? maxPerYear : maxPerPeriod
  if (maxInPeriod(given) > most) return `an RRULE has at most ${most} times in one of its periods; use a shorter FREQ`
  return given.has('COUNT') && given.has('UNTIL') ? 'an RRULE has COUNT or UNTIL, not both' : undefined
}
