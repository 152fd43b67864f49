import type { Leases } from '../lease/lease.ts'
import { type AttemptOptions, attempt, messageOf } from './attempt.ts'
import type { Job } from './claims.ts'
import type { Load } from './load.ts'
import type { Claimed, Outcomes } from './outcomes.ts'
import type { Task } from './task.ts'

interface LaneRunnerOptions {
  /** The dependencies of each attempt. */
  attempts: AttemptOptions
  tasks: ReadonlyMap<string, Task>
  leases: Leases<Job>
  outcomes: Outcomes
  load: Load
  /** Aborted when the worker stops. */
  stopping: AbortSignal
}

/** Runs claimed jobs, each followed by the next ones of its lane. */
export function openLaneRunner({ attempts, tasks, leases, outcomes, load, stopping }: LaneRunnerOptions) {
  async function runOne(job: Job, lost: AbortSignal): Promise<Claimed | undefined> {
    const task = tasks.get(job.task)
    if (!task) return undefined
    const outbound = load.countCalls(job, attempts.outbound)
    const outcome = await attempt({ ...attempts, outbound }, task, job, AbortSignal.any([stopping, lost]))
    switch (outcome.kind) {
      case 'done': {
        const proves = outcome.succeeded && load.hasCalled(job)
        if (proves) load.succeeded(job)
        return await outcomes.done(job, proves)
      }
      case 'retry':
        if (outcome.pause !== undefined) load.failed(job)
        await outcomes.retry({ job, ...outcome })
        return undefined
      case 'cutShort':
        return undefined
    }
  }

  return {
    /** Runs a job, and then the next ones of its lane. Resolves when no job of the lane is left to this worker. */
    async run(first: Claimed): Promise<void> {
      let claimed: Claimed | undefined = first
      while (claimed) {
        const { job, asked }: Claimed = claimed
        const lease = leases.hold(job, asked)
        load.begin(job)
        try {
          claimed = await runOne(job, lease.lost)
        } catch (error) {
          const failure = `not marked as done, so it will run again: ${messageOf(error)}`
          attempts.log({ level: 'error', task: job.task, error: failure })
          claimed = undefined
        }
        load.end(job)
        lease.release()
      }
    },
  }
}
