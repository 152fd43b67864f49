import { Worker } from 'node:worker_threads'

/** What cannot be worked out: it takes too long, needs too much, or makes no sense. The message may be shown. */
export class UnreadableHolidays extends Error {}

/** A day and its name. */
export interface HolidayDate {
  date: string
  name: string
}

export type HolidayQuery = { first: number; last: number } & ({ country: string } | { feed: string })

/** The days of a feed, and how many events it has that are no days. */
export interface FeedDays {
  days: HolidayDate[]
  timed: number
}

export type HolidayResult = { found: HolidayDate[] | FeedDays } | { fault: string }

interface Limits {
  /** ms that an answer may take. */
  timeout?: number
  /** MiB that the thread may use. */
  memory?: number
}

/** Has holidays worked out in a thread of its own, so that nobody waits meanwhile, and what hangs or bursts ends with it. */
export function runInWorker<T extends HolidayDate[] | FeedDays>(
  question: HolidayQuery,
  { timeout: patience = 20_000, memory = 256 }: Limits = {},
): Promise<T> {
  const thread = new Worker(new URL('./holiday-worker.ts', import.meta.url), {
    workerData: question,
    resourceLimits: { maxOldGenerationSizeMb: memory, stackSizeMb: 4 },
  })
  thread.unref()
  return new Promise<T>((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(late)
      thread.removeAllListeners()
      thread.on('error', () => {}) // it is told already
      void thread.terminate()
      settle()
    }
    const fail = (why: string) => end(() => reject(new UnreadableHolidays(why)))
    const late = setTimeout(() => fail('it takes too long to read'), patience)
    thread.on('message', (answer: HolidayResult) =>
      'fault' in answer ? fail(answer.fault) : end(() => resolve(answer.found as T)),
    )
    thread.on('error', error => fail(`it cannot be read: ${error.message}`))
    thread.on('exit', () => fail('it needs too much memory to be read'))
  })
}
