import { runInThread, type ThreadLimits, type ThreadResult } from '../../platform/limited-thread.ts'

export interface HolidayDate {
  date: string
  name: string
}

export type HolidayQuery = { first: number; last: number } & ({ country: string } | { feed: string })

/** The days of a feed, and the number of its events with a time of day, which are not holidays. */
export interface FeedDays {
  days: HolidayDate[]
  timed: number
}

/** The message of the worker thread. */
export type HolidayResult = ThreadResult<HolidayDate[] | FeedDays>

/** Computes holidays in a worker thread; `ThreadFailed` if the input is invalid, or exceeds the limits. */
export async function runInWorker<T extends HolidayDate[] | FeedDays>(
  query: HolidayQuery,
  limits?: ThreadLimits,
): Promise<T> {
  return await runInThread<T>(new URL('./holiday-worker.ts', import.meta.url), query, limits)
}
