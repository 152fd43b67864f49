import { Temporal } from 'temporal-polyfill'

/** The part of a span of time that lies on one local day. */
interface DayPart {
  date: string
  start: string
  end: string
  seconds: number
}

/**
 * Cuts a span at each midnight of the time zone: where a day begins, even if clocks skip midnight itself. The seconds of the
 * parts are elapsed ones, so that their sum is the length of the span.
 */
export function splitAtMidnights(start: string, end: string, timezone: string): DayPart[] {
  const parts: DayPart[] = []
  const last = Temporal.Instant.from(end)
  let from = Temporal.Instant.from(start)
  do {
    const day = from.toZonedDateTimeISO(timezone).toPlainDate()
    const midnight = day.add({ days: 1 }).toZonedDateTime(timezone).toInstant()
    const to = Temporal.Instant.compare(midnight, last) < 0 ? midnight : last
    const seconds = (to.epochMilliseconds - from.epochMilliseconds) / 1000
    parts.push({ date: day.toString(), start: isoOf(from), end: isoOf(to), seconds })
    from = to
  } while (Temporal.Instant.compare(from, last) < 0)
  return parts
}

function isoOf(instant: Temporal.Instant): string {
  return new Date(instant.epochMilliseconds).toISOString()
}
