import { Cron } from 'croner'
import { Temporal } from 'temporal-polyfill'
import { occurrences } from '../../../language/recurrence/recurrence.ts'
import { readDuration } from './interval.ts'

/** Returns the next time of a schedule: a duration counted from `began`, cron fields, or an RRULE. */
export function nextOf(
  text: string,
  { began, after, timezone }: { began: Date; after: Date; timezone: string },
): Date | undefined {
  const given = text.trim()
  if (/^P/i.test(given)) return nextStep(given, zoned(began, timezone), after)
  if (/^(RRULE:)?[A-Z]+=/i.test(given)) {
    const start = zoned(began, timezone)
    const [next] = occurrences(
      {
        rule: given,
        day: start.toPlainDate().toString(),
        at: start.toPlainTime().toString({ smallestUnit: 'minute' }),
        timezone,
      },
      after,
      1,
    )
    return next && new Date(next.epochMilliseconds)
  }
  try {
    return new Cron(given, { timezone, paused: true, mode: '5-part' }).nextRun(after) ?? undefined
  } catch {
    return undefined
  }
}

function zoned(moment: Date, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timezone)
}

/** Returns the first multiple of the duration after a moment. Months and days vary in length, so the estimate is corrected in steps. */
function nextStep(text: string, began: Temporal.ZonedDateTime, after: Date): Date | undefined {
  const duration = readDuration(text)
  if (!duration || duration.sign <= 0) return undefined
  const { years, months, weeks, days, hours, minutes, seconds } = duration
  const length =
    ((years * 365.2425 + months * 30.436875 + weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds
  const step = (n: number) =>
    began.add({
      years: years * n,
      months: months * n,
      weeks: weeks * n,
      days: days * n,
      hours: hours * n,
      minutes: minutes * n,
      seconds: seconds * n,
    }).epochMilliseconds
  let n = Math.max(1, Math.floor((after.getTime() - began.epochMilliseconds) / 1000 / Math.max(1, length)) - 1)
  while (n > 1 && step(n) > after.getTime()) n--
  while (step(n) <= after.getTime()) n++
  return new Date(step(n))
}

/** Returns the next moment that has the time of day `offset` after midnight. */
export function nextDaily(offset: Temporal.Duration, after: Date, timezone: string): Date {
  const now = zoned(after, timezone)
  const time = Temporal.PlainDate.from('2001-01-15').toPlainDateTime().add(offset).toPlainTime()
  for (let day = now.toPlainDate(); ; day = day.add({ days: 1 })) {
    const moment = day.toZonedDateTime({ timeZone: timezone, plainTime: time })
    if (moment.epochMilliseconds > after.getTime()) return new Date(moment.epochMilliseconds)
  }
}

/** Returns the last date for which date plus offset is not after the moment. */
export function lastDayAt(offset: Temporal.Duration, moment: Date, timezone: string): string {
  return zoned(moment, timezone).subtract(offset).toPlainDate().toString()
}

/** Returns the moment minus the offset, in the given zone. */
export function movedBack(offset: Temporal.Duration, moment: Date, timezone: string): Date {
  return new Date(zoned(moment, timezone).subtract(offset).epochMilliseconds)
}
