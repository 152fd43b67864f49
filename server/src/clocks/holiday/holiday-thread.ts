import { Worker } from 'node:worker_threads'

/** The holidays cannot be computed: the input is invalid, or exceeds the limits of time or memory. The message may be shown. */
export class UnreadableHolidays extends Error {}

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
export type HolidayResult<T = HolidayDate[] | FeedDays> = { found: T } | { fault: string }

interface Limits {
  timeoutMs?: number
  memoryMiB?: number
}

/**
 * Computes holidays in a worker thread: it does not block the event loop, and can be terminated when it hangs or exceeds
 * its memory.
 */
export function runInWorker<T extends HolidayDate[] | FeedDays>(
  query: HolidayQuery,
  { timeoutMs = 20_000, memoryMiB = 256 }: Limits = {},
): Promise<T> {
  const thread = new Worker(new URL('./holiday-worker.ts', import.meta.url), {
    workerData: query,
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB, stackSizeMb: 4 },
  })
  thread.unref()
  return new Promise<T>((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer)
      thread.removeAllListeners()
      // The promise is settled; a later error without a listener would end the process.
      thread.on('error', () => {})
      void thread.terminate()
      settle()
    }
    const fail = (why: string) => end(() => reject(new UnreadableHolidays(why)))
    const timer = setTimeout(() => fail('reading the calendar takes too long'), timeoutMs)
    thread.on('message', (result: HolidayResult<T>) =>
      'fault' in result ? fail(result.fault) : end(() => resolve(result.found)),
    )
    thread.on('error', error => fail(`the calendar cannot be read: ${error.message}`))
    thread.on('exit', () => fail('reading the calendar needs too much memory'))
  })
}
