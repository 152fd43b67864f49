import Holidays, { type HolidaysTypes } from 'date-holidays'
import type { HolidayDate } from './holiday-thread.ts'

const hour = 3_600_000
const day = 24 * hour

/** Returns the public holidays from the first to the last year; none for an unknown country, state or region. */
export function daysOfCountry(code: string, { first, last }: { first: number; last: number }): HolidayDate[] {
  const place = placeOf(code)
  if (!place) return []
  // A holiday is a calendar date without a time zone, so UTC keeps the library from shifting it.
  const calendar = new Holidays(place, { types: ['public'], timezone: 'UTC' })
  const found = new Map<string, string>()
  // The substitute for a holiday on a weekend may fall into the year before or after.
  for (let year = first - 1; year <= last + 1; year++)
    for (const holiday of calendar.getHolidays(year))
      for (const date of datesOf(holiday)) if (!found.has(date)) found.set(date, holiday.name.slice(0, 200))
  return [...found]
    .filter(([date]) => date >= `${first}-01-01` && date <= `${last}-12-31`)
    .map(([date, name]) => ({ date, name }))
    .sort((a, b) => (a.date < b.date ? -1 : 1))
}

/** The library ignores an unknown state, so a mistyped state would silently get the holidays of the whole country. */
function placeOf(code: string): HolidaysTypes.Country | undefined {
  const [country = '', state, region] = code.split('-')
  const all = new Holidays()
  if (!has(all.getCountries(), country)) return undefined
  if (state === undefined) return { country }
  if (!has(all.getStates(country), state)) return undefined
  if (region === undefined) return { country, state }
  return has(all.getRegions(country, state), region) ? { country, state, region } : undefined
}

const has = (known: Record<string, string> | undefined, code: string) =>
  known !== undefined && Object.hasOwn(known, code)

/**
 * Returns the dates that the holiday covers from 6:00 to 18:00. A day of the Hebrew or the Islamic calendar begins on the
 * evening before, and half a day does not count as a holiday.
 */
function datesOf({ start, end }: HolidaysTypes.Holiday): string[] {
  const dates: string[] = []
  for (let date = Math.floor(start.getTime() / day) * day; date < end.getTime(); date += day)
    if (start.getTime() <= date + 6 * hour && end.getTime() >= date + 18 * hour)
      dates.push(new Date(date).toISOString().slice(0, 10))
  return dates
}
