import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'

/** An event of whole days. Days have no time zone, so that they are the same wherever they are shown. */
export interface CalendarEvent {
  uid: string
  /** Grows with every change. */
  sequence: number
  updated: Date
  from: string
  /** The last day, included. */
  to: string
  summary: string
  description?: string
  url?: string
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'
  /** Whether the days count as taken. */
  busy: boolean
  private?: boolean
}

const lastDay = '9999-12-30'

/** Writes events as an iCalendar text (RFC 5545). Equal events give equal text. */
export function iCalendar(name: string, events: readonly CalendarEvent[]): string {
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', '-//Gantry//Plan//EN')
  calendar.addPropertyWithValue('method', 'PUBLISH')
  calendar.addPropertyWithValue('x-wr-calname', plain(name))
  calendar.addProperty(refresh)
  calendar.addPropertyWithValue('x-published-ttl', 'PT1H')
  for (const event of events) calendar.addSubcomponent(component(event))
  return linesOf(calendar)
    .map(line => `${folded(line)}\r\n`)
    .join('')
}

const refresh = new ICAL.Property(['refresh-interval', {}, 'duration', 'PT1H'])

function component(event: CalendarEvent): ICAL.Component {
  const made = new ICAL.Component('vevent')
  const stamp = ICAL.Time.fromJSDate(event.updated, true)
  const to = event.to < lastDay ? event.to : lastDay
  const end = Temporal.PlainDate.from(to).add({ days: 1 }).toString()
  made.addPropertyWithValue('uid', event.uid)
  made.addPropertyWithValue('sequence', event.sequence)
  made.addPropertyWithValue('dtstamp', stamp)
  made.addPropertyWithValue('last-modified', stamp)
  made.addPropertyWithValue('dtstart', ICAL.Time.fromDateString(event.from))
  made.addPropertyWithValue('dtend', ICAL.Time.fromDateString(end))
  made.addPropertyWithValue('summary', plain(event.summary))
  if (event.description) made.addPropertyWithValue('description', plain(event.description))
  if (event.url) made.addPropertyWithValue('url', event.url)
  made.addPropertyWithValue('status', event.status)
  made.addPropertyWithValue('transp', event.busy ? 'OPAQUE' : 'TRANSPARENT')
  if (event.private) made.addPropertyWithValue('class', 'PRIVATE')
  return made
}

/** Control characters are not allowed in a text; line breaks are escaped by the writer. */
function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0009\u000b-\u001f\u007f\u2028\u2029]/g, ' ')
}

function linesOf(part: ICAL.Component): string[] {
  return [
    `BEGIN:${part.name.toUpperCase()}`,
    ...part.getAllProperties().map(each => ICAL.stringify.property(each.toJSON(), ICAL.design.icalendar, true)),
    ...part.getAllSubcomponents().flatMap(linesOf),
    `END:${part.name.toUpperCase()}`,
  ]
}

const maxLineBytes = 75

/** Breaks a line after at most 75 bytes, and not within a character; the library counts without the space of the next line. */
function folded(line: string): string {
  const parts: string[] = []
  let [part, bytes] = ['', 0]
  for (const character of line) {
    const length = Buffer.byteLength(character)
    if (bytes + length > maxLineBytes) {
      parts.push(part)
      ;[part, bytes] = [' ', 1]
    }
    part += character
    bytes += length
  }
  return [...parts, part].join('\r\n')
}
