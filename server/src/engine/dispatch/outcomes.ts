import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { MonotonicClock } from '../lease/lease.ts'
import { messageOf } from './attempt.ts'
import { finish, type Job, type Retry, retry } from './claims.ts'

/** A job that this worker holds, and when the statement was sent that claimed it. */
export interface Claimed {
  readonly job: Job
  readonly asked: number
}

export interface OutcomesOptions {
  run: Run
  worker: Id
  /** Of a lease; ms. */
  lease: number
  clock: MonotonicClock
  stopping: AbortSignal
  log: (line: Record<string, unknown>) => void
}

/** Jobs that one statement marks as done at most. */
const maxAtOnce = 200

/** Writes down how attempts ended. */
export function openOutcomes({ run, worker, lease, clock, stopping, log }: OutcomesOptions) {
  const finished: { job: Job; tell: (next: Claimed | undefined) => void }[] = []
  let finishing: Promise<void> | undefined

  async function finishAll(): Promise<void> {
    while (finished.length > 0) {
      const some = finished.splice(0, maxAtOnce)
      const done = some.map(each => each.job)
      let next: Claimed[] = []
      try {
        next = await persist(async () => {
          const asked = clock.now()
          return (await finish(run, worker, lease, done)).map(job => ({ job, asked }))
        })
      } catch (error) {
        log({ level: 'error', error: `marking jobs as done: ${messageOf(error)}` })
      }
      for (const { job, tell } of some)
        tell(next.find(each => each.job.lane === job.lane && each.job.tenantId === job.tenantId))
    }
    finishing = undefined
  }

  /** What was done must be written down, else it is done again: so a database that is away for a moment is waited for. */
  async function persist<T>(write: () => Promise<T>): Promise<T> {
    const late = clock.now() + lease
    for (let pause = 100; ; pause = Math.min(pause * 2, 2000)) {
      try {
        return await write()
      } catch (error) {
        if (stopping.aborted || clock.now() + pause > late) throw error
        await sleep(pause, undefined, { ref: false })
      }
    }
  }

  return {
    /** The job is done; returns the next one of its lane, which is claimed with it. What ends at the same moment is marked by one statement. */
    done(job: Job): Promise<Claimed | undefined> {
      return new Promise(tell => {
        finished.push({ job, tell })
        finishing ??= finishAll()
      })
    },
    retry: (again: Retry): Promise<void> => persist(() => retry(run, worker, again)),
    /** Settles when all that has ended is written down. */
    async written(): Promise<void> {
      await finishing
    },
  }
}
