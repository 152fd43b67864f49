import Holidays, { type HolidaysTypes } from 'date-holidays'
import type { HolidayDate } from './holiday-thread.ts'

const hour = 3_600_000
const day = 24 * hour

/** The public holidays of some years; none at all of a country, a state or a region that is not known. */
export function daysOfCountry(code: string, { first, last }: { first: number; last: number }): HolidayDate[] {
  const place = placeOf(code)
  if (!place) return []
  // On a wall without a zone: a holiday is a day of the calendar, wherever it is kept.
  const calendar = new Holidays(place, { types: ['public'], timezone: 'UTC' })
  const found = new Map<string, string>()
  // What falls on a weekend may be made up for in the year before or after.
  for (let year = first - 1; year <= last + 1; year++)
    for (const holiday of calendar.getHolidays(year))
      for (const date of datesOf(holiday)) if (!found.has(date)) found.set(date, holiday.name.slice(0, 200))
  return [...found]
    .filter(([date]) => date >= `${first}-01-01` && date <= `${last}-12-31`)
    .map(([date, name]) => ({ date, name }))
    .sort((a, b) => (a.date < b.date ? -1 : 1))
}

/** The library takes an unknown state for none: whoever mistypes one would get the days of another. */
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
 * The dates whose daytime, six to six, it takes whole: a day of the Hebrew or the Islamic calendar begins on the evening
 * before, and half a day is no holiday.
 */
function datesOf({ start, end }: HolidaysTypes.Holiday): string[] {
  const dates: string[] = []
  for (let date = Math.floor(start.getTime() / day) * day; date < end.getTime(); date += day)
    if (start.getTime() <= date + 6 * hour && end.getTime() >= date + 18 * hour)
      dates.push(new Date(date).toISOString().slice(0, 10))
  return dates
}
