import { type HolidayDate, runInWorker } from './holiday-thread.ts'

/** Years of countries that are remembered: a few hundred bytes each. */
const maxKept = 2000
const kept = new Map<string, Promise<HolidayDate[]>>()

/**
 * The public holidays of a country or a part of it (`DE`, `DE-BY`, `DE-BY-KATH`); none at all where nobody here knows it.
 * Whoever knows them all is big and slow to wake: it is asked in a thread, once for each country and year.
 */
export async function publicHolidays(code: string, years: { first: number; last: number }): Promise<HolidayDate[]> {
  const country = code.trim().toUpperCase()
  if (!/^[A-Z]{2}(-[A-Z0-9]{1,20}){0,2}$/.test(country)) return []
  const key = `${country} ${years.first} ${years.last}`
  const known = kept.get(key) ?? runInWorker<HolidayDate[]>({ country, ...years })
  kept.set(key, known)
  if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? '')
  try {
    return await known
  } catch (error) {
    kept.delete(key)
    throw error
  }
}
