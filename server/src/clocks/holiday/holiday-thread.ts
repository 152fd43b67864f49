import { Worker } from 'node:worker_threads'
import type { Day } from './public-holidays.ts'

/** What cannot be worked out: it takes too long, needs too much, or makes no sense. The message may be shown. */
export class Unreadable extends Error {}

export type Question = { first: number; last: number } & ({ country: string } | { feed: string })

/** The days of a feed, and how many events it has that are no days. */
export interface FeedDays {
  days: Day[]
  timed: number
}

export type Answer = { found: Day[] | FeedDays } | { fault: string }

interface Limits {
  /** ms that an answer may take. */
  patience?: number
  /** MiB that the thread may use. */
  memory?: number
}

/** Has holidays worked out in a thread of its own, so that nobody waits meanwhile, and what hangs or bursts ends with it. */
export function inThread<T extends Day[] | FeedDays>(
  question: Question,
  { patience = 20_000, memory = 256 }: Limits = {},
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
    const fail = (why: string) => end(() => reject(new Unreadable(why)))
    const late = setTimeout(() => fail('it takes too long to read'), patience)
    thread.on('message', (answer: Answer) =>
      'fault' in answer ? fail(answer.fault) : end(() => resolve(answer.found as T)),
    )
    thread.on('error', error => fail(`it cannot be read: ${error.message}`))
    thread.on('exit', () => fail('it needs too much memory to be read'))
  })
}
