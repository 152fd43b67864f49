import { type HolidayDate, runInWorker } from './holiday-thread.ts'

/** The cache has one entry per country and span of years, of a few hundred bytes each. */
const maxCached = 2000
const cache = new Map<string, Promise<HolidayDate[]>>()

/**
 * Returns the public holidays of a country or a part of it (`DE`, `DE-BY`, `DE-BY-KATH`); none for an unknown code.
 * The library is large and slow to load, so it runs in a worker thread and its results are cached.
 */
export async function publicHolidays(code: string, years: { first: number; last: number }): Promise<HolidayDate[]> {
  const country = code.trim().toUpperCase()
  if (!/^[A-Z]{2}(-[A-Z0-9]{1,20}){0,2}$/.test(country)) return []
  const key = `${country} ${years.first} ${years.last}`
  const known = cache.get(key) ?? runInWorker<HolidayDate[]>({ country, ...years })
  cache.set(key, known)
  if (cache.size > maxCached) cache.delete(cache.keys().next().value ?? '')
  try {
    return await known
  } catch (error) {
    cache.delete(key)
    throw error
  }
}
