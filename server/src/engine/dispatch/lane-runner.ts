import type { Leases } from '../lease/lease.ts'
import { type AttemptOptions, attempt, messageOf } from './attempt.ts'
import type { Job } from './claims.ts'
import type { Claimed, Outcomes } from './outcomes.ts'
import type { Task } from './task.ts'

interface LaneRunnerOptions {
  /** The dependencies of each attempt. */
  attempts: AttemptOptions
  tasks: ReadonlyMap<string, Task>
  leases: Leases<Job>
  outcomes: Outcomes
  /** Aborted when the worker stops. */
  stopping: AbortSignal
}

/** Runs claimed jobs, each followed by the next ones of its lane. */
export function openLaneRunner({ attempts, tasks, leases, outcomes, stopping }: LaneRunnerOptions) {
  const running = new Set<Job>()

  async function runOne(job: Job, lost: AbortSignal): Promise<Claimed | undefined> {
    const task = tasks.get(job.task)
    if (!task) return undefined
    const outcome = await attempt(attempts, task, job, AbortSignal.any([stopping, lost]))
    switch (outcome.kind) {
      case 'done':
        return await outcomes.done(job)
      case 'retry':
        await outcomes.retry({ job, ...outcome })
        return undefined
      case 'cutShort':
        return undefined
    }
  }

  return {
    /** The jobs that run now. */
    running: running as ReadonlySet<Job>,
    /** Runs a job, and then the next ones of its lane. Resolves when no job of the lane is left to this worker. */
    async run(first: Claimed): Promise<void> {
      let claimed: Claimed | undefined = first
      while (claimed) {
        const { job, asked }: Claimed = claimed
        const lease = leases.hold(job, asked)
        running.add(job)
        try {
          claimed = await runOne(job, lease.lost)
        } catch (error) {
          const failure = `not marked as done, so it will run again: ${messageOf(error)}`
          attempts.log({ level: 'error', task: job.task, error: failure })
          claimed = undefined
        }
        running.delete(job)
        lease.release()
      }
    },
  }
}
