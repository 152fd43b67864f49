import { ThreadFailed } from '../../platform/limited-thread.ts'
import { publicHolidays } from './public-holidays.ts'

/** A public holiday of a clock. */
interface Holiday {
  date: string
  name: string
  source: 'country' | 'feed'
}

/** A holiday as a clock record stores it: every property may be missing. */
interface StoredHoliday {
  date?: string | null
  name?: string
  source?: string
}

/** The years for which holidays are stored, from last year to five years ahead. Whole years change the result once a year only. */
export function yearsAround(now: Date): { first: number; last: number } {
  const year = now.getUTCFullYear()
  return { first: year - 1, last: year + 5 }
}

interface HolidaySources {
  holidayCountry: string
  holidayFeed: string
}

/** Returns the holidays of the country, computed anew, and those of the feed as they were last fetched. */
export async function holidaysOf(
  { holidayCountry, holidayFeed }: HolidaySources,
  known: readonly StoredHoliday[],
  now: Date,
): Promise<Holiday[]> {
  const ofFeed = holidayFeed === '' ? [] : known.flatMap(each => fromSource(each, 'feed'))
  return inOrder([...(holidayCountry === '' ? [] : await ofCountry(holidayCountry, known, now)), ...ofFeed])
}

/** If the library fails, the stored holidays of the country stay. */
async function ofCountry(country: string, known: readonly StoredHoliday[], now: Date): Promise<Holiday[]> {
  try {
    const days = await publicHolidays(country, yearsAround(now))
    return days.map(each => ({ ...each, source: 'country' as const }))
  } catch (error) {
    if (error instanceof ThreadFailed) return known.flatMap(each => fromSource(each, 'country'))
    throw error
  }
}

/** Returns the holidays with those of the feed replaced. */
export function withFeed(holidays: readonly Holiday[], days: readonly Omit<Holiday, 'source'>[]): Holiday[] {
  const others = holidays.filter(each => each.source !== 'feed')
  return inOrder([...others, ...days.map(({ date, name }) => ({ date, name, source: 'feed' as const }))])
}

function inOrder(days: Holiday[]): Holiday[] {
  return days.sort((a, b) => (a.date === b.date ? (a.source < b.source ? -1 : 1) : a.date < b.date ? -1 : 1))
}

function fromSource({ date, name = '', source }: StoredHoliday, wanted: Holiday['source']): Holiday[] {
  return source === wanted && date ? [{ date, name, source: wanted }] : []
}

/** Calendars are often published as `webcal:` addresses, which are fetched by https. */
export function feedUrl(text: string): string {
  return text.trim().replace(/^webcals?:/i, 'https:')
}
