import { dateFormat } from '../messages/formatters.ts'
import { locale } from '../messages/messages.ts'

// Calendar days are texts, `2026-11-16`, as the API has them. Only this folder reads clocks.

const utc = (day: string) => new Date(`${day}T00:00:00Z`)

/** The day that it is now in a time zone. */
export function today(timezone: string, now = new Date()): string {
  return dateFormat('en-CA', { timeZone: timezone }).format(now)
}

/** The present moment, as the API writes moments. */
export const instantNow = (): string => new Date().toISOString()

export const instantAfter = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()

/** The milliseconds from one moment to another. */
export const millisecondsBetween = (from: string, to: string): number => Date.parse(to) - Date.parse(from)

export function daysBetween(from: string, to: string): number {
  return Math.round((utc(to).getTime() - utc(from).getTime()) / 86_400_000)
}

export function addDays(day: string, count: number): string {
  return new Date(utc(day).getTime() + count * 86_400_000).toISOString().slice(0, 10)
}

/** `Fri` within the next six days, otherwise `4 Dec`, with the year if it is another one. */
export function dayText(day: string, now: string): string {
  const apart = daysBetween(now, day)
  const format: Intl.DateTimeFormatOptions =
    apart > 0 && apart < 7
      ? { weekday: 'short' }
      : { day: 'numeric', month: 'short', ...(day.slice(0, 4) === now.slice(0, 4) ? {} : { year: 'numeric' }) }
  return dateFormat(locale(), { ...format, timeZone: 'UTC' }).format(utc(day))
}

/** `Monday, 16 November` */
export function longDayText(day: string): string {
  return dateFormat(locale(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(utc(day))
}

/** `Tue 15:40` of this week, otherwise `4 Dec 15:40`. */
export function momentText(instant: string, timezone: string, now = new Date()): string {
  const at = new Date(instant)
  const near = Math.abs(now.getTime() - at.getTime()) < 6 * 86_400_000
  return dateFormat(locale(), {
    timeZone: timezone,
    ...(near ? { weekday: 'short' } : { day: 'numeric', month: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)
}

/** `November 2026` */
export function monthText(day: string): string {
  return dateFormat(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(utc(day))
}

/** `Mo` */
export function weekdayText(day: string): string {
  return dateFormat(locale(), { weekday: 'short', timeZone: 'UTC' }).format(utc(day)).slice(0, 2)
}
