import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { Run } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { MonotonicClock } from '../lease/lease.ts'
import { messageOf } from './attempt.ts'
import { type DoneJob, finish, type Job, type Retry, retry } from './claims.ts'

/** A job that this worker holds, and the time at which the claiming statement was sent. */
export interface Claimed {
  readonly job: Job
  readonly asked: number
}

interface OutcomesOptions {
  run: Run
  worker: Id
  /** The length of a lease; ms. */
  lease: number
  clock: MonotonicClock
  stopping: AbortSignal
  log: (line: Record<string, unknown>) => void
}

export type Outcomes = ReturnType<typeof openOutcomes>

/** The maximum of jobs that one statement marks as done. */
const maxAtOnce = 200

/** Stores the outcomes of attempts. */
export function openOutcomes({ run, worker, lease, clock, stopping, log }: OutcomesOptions) {
  const finished: (DoneJob & { resolve: (next: Claimed | undefined) => void })[] = []
  let finishing: Promise<void> | undefined

  async function finishAll(): Promise<void> {
    await turn() // jobs that end together call one after another
    while (finished.length > 0) {
      const some = finished.splice(0, maxAtOnce)
      let next: Claimed[] = []
      try {
        next = await persist(async () => {
          const asked = clock.now()
          return (await finish(run, worker, lease, some)).map(job => ({ job, asked }))
        })
      } catch (error) {
        log({ level: 'error', error: `marking jobs as done: ${messageOf(error)}` })
      }
      for (const { job, resolve } of some)
        resolve(next.find(each => each.job.lane === job.lane && each.job.tenantId === job.tenantId))
    }
    finishing = undefined
  }

  /** A completed job that is not recorded would run again, so a short outage of the database is waited out. */
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
    /**
     * Marks the job as done and returns the next one of its lane, which is claimed with it. Jobs that end at the same
     * moment are marked by one statement. A job that proves it ends the failure of its group.
     */
    done(job: Job, proves: boolean): Promise<Claimed | undefined> {
      return new Promise(resolve => {
        finished.push({ job, proves, resolve })
        finishing ??= finishAll()
      })
    },
    retry: (again: Retry): Promise<void> => persist(() => retry(run, worker, again)),
    /** Resolves when all outcomes are stored. */
    async written(): Promise<void> {
      await finishing
    },
  }
}
