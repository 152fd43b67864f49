import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../kernel/database.ts'
import { type MonotonicClock, openLeases, processClock } from '../lease/lease.ts'
import type { RecurringJob } from './job-definition.ts'
import { type Claim, openJobRows } from './job-rows.ts'

export type { RecurringJob } from './job-definition.ts'

export interface RecurringJobsOptions {
  database: Pick<Database, 'crossTenantSql'>
  jobs: readonly RecurringJob[]
  log: (line: Record<string, unknown>) => void
  /** For tests. Otherwise the clock of the database is used, because it is the one clock that all nodes share. */
  now?: () => Date
  /** For tests: the clock by which leases are renewed and lost. */
  clock?: MonotonicClock
  /** How long a node may stop renewing before another node takes over its run; ms. */
  lease?: number
  /** How often a node looks for due jobs; ms. */
  poll?: number
  /** How long `stop` waits for running jobs to end; ms. */
  grace?: number
}

interface RecurringJobs {
  start(): void
  stop(): Promise<void>
}

/** The maximum of jobs that one node runs concurrently. */
const maxAtOnce = 3

/** A failed run is repeated after this many ms, or at its usual time if that is sooner. */
const retryAfter = 60_000

/**
 * Each due run is performed once by all nodes of an installation together. The node that runs a job leases its row: a
 * node that did not renew in time finds another token in the row, and can neither renew nor finish the run.
 */
export function openRecurringJobs(options: RecurringJobsOptions): RecurringJobs {
  const { database, jobs, log, now, clock = processClock } = options
  const { lease: length = 60_000, poll = 5000, grace = 3000 } = options
  const rows = openJobRows({ database, length, poll, now })
  const leases = openLeases<Claim>({ length, renew: rows.renew, clock })
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    let introduced = false
    while (!stopping.signal.aborted) {
      try {
        if (!introduced) await rows.introduce(jobs)
        introduced = true
        await startDue()
      } catch (error) {
        log({ level: 'error', error: `looking for recurring jobs: ${stackOf(error)}` })
      }
      await sleep(poll * (0.8 + 0.4 * Math.random()), undefined, { signal: stopping.signal, ref: false }).catch(
        () => {},
      )
    }
  }

  async function startDue(): Promise<void> {
    const idle = jobs.filter(job => !running.has(job.name))
    const free = Math.min(idle.length, maxAtOnce - running.size)
    if (free <= 0) return
    const asked = clock.now()
    for (const claim of await rows.claimDue(idle, free)) {
      const { name } = claim.job
      running.set(
        name,
        work(claim, asked).finally(() => running.delete(name)),
      )
    }
  }

  async function work(claim: Claim, asked: number): Promise<void> {
    const { job } = claim
    const lease = leases.hold(claim, asked)
    const signal = AbortSignal.any([stopping.signal, lease.lost])
    const error = await attempt(job, signal)
    lease.release()
    if (error && !signal.aborted) log({ level: 'error', job: job.name, error: stackOf(error) })
    if (lease.lost.aborted)
      return log({ level: 'warn', job: job.name, error: 'the lease was lost; another node takes over' })
    try {
      if (error && stopping.signal.aborted) await rows.giveBack(claim)
      else await rows.finish(claim, { error: error && stackOf(error), nextIn: nextIn(job, error, clock.now() - asked) })
    } catch (failure) {
      log({ level: 'error', job: job.name, error: `not marked as done, so it will run again: ${stackOf(failure)}` })
    }
  }

  return {
    start() {
      looking ??= look()
    },
    async stop() {
      stopping.abort(new Error('the service is stopping'))
      const ended = (async () => {
        await looking
        await Promise.all(running.values())
      })()
      await Promise.race([ended, sleep(grace, undefined, { ref: false })])
    },
  }
}

/**
 * Returns the time until the next run. Missed runs are not repeated: the next one starts an interval after the start of this one,
 * plus a random delay that spreads the jobs.
 */
function nextIn({ every }: RecurringJob, error: Error | undefined, lasted: number): number {
  const wait = error ? Math.min(every, retryAfter) : every
  return Math.max(0, wait * (1 + Math.random() / 10) - lasted)
}

/** Runs the job and returns the error if it failed. */
async function attempt(job: RecurringJob, signal: AbortSignal): Promise<Error | undefined> {
  try {
    signal.throwIfAborted()
    await job.run(signal)
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(`failed with ${String(error)}`)
  }
}

const stackOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
