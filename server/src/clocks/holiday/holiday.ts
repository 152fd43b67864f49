import { UnreadableHolidays } from './holiday-thread.ts'
import { publicHolidays } from './public-holidays.ts'

/** A day on which nobody works, and why. */
export interface Holiday {
  date: string
  name: string
  /** Where it came from: `country` or `feed`. */
  source: 'country' | 'feed'
}

/** A day as it stands in a record, where anything may be missing. */
export interface StoredHoliday {
  date?: string | null
  name?: string
  source?: string
}

/** From last year to the fifth ahead: the years of which holidays are known. Whole years, so that a day changes nothing. */
export function yearsAround(now: Date): { first: number; last: number } {
  const year = now.getUTCFullYear()
  return { first: year - 1, last: year + 5 }
}

interface HolidaySources {
  holidayCountry: string
  holidayFeed: string
}

/** All the days that come by themselves: the country’s as they are known now, the feed’s as they were last read. */
export async function holidaysOf(
  { holidayCountry, holidayFeed }: HolidaySources,
  known: readonly StoredHoliday[],
  now: Date,
): Promise<Holiday[]> {
  const ofFeed = holidayFeed === '' ? [] : known.flatMap(each => fromSource(each, 'feed'))
  return inOrder([...(holidayCountry === '' ? [] : await ofCountry(holidayCountry, known, now)), ...ofFeed])
}

/** Should the library fail, which it has no reason to, what was known before stays. */
async function ofCountry(country: string, known: readonly StoredHoliday[], now: Date): Promise<Holiday[]> {
  try {
    const days = await publicHolidays(country, yearsAround(now))
    return days.map(each => ({ ...each, source: 'country' as const }))
  } catch (error) {
    if (error instanceof UnreadableHolidays) return known.flatMap(each => fromSource(each, 'country'))
    throw error
  }
}

/** The same with other days of the feed. */
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

/** Where a feed is fetched: calendars call themselves `webcal:` where a browser is to subscribe to them. */
export function feedUrl(text: string): string {
  return text.trim().replace(/^webcals?:/i, 'https:')
}
