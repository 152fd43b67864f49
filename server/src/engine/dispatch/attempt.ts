import { callerForUser } from '../../identity/authority.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Database } from '../../kernel/database.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Job, Retry } from './claims.ts'
import { GroupFailure, PermanentFailure, Postponed, retryDelay, type Task, type Work } from './task.ts'

/** The dependencies of an attempt. */
export interface AttemptOptions {
  database: Database
  outbound: Outbound
  log: (line: Record<string, unknown>) => void
  /** Called with the outcome of each attempt. */
  count: (task: string, outcome: 'done' | 'failed' | 'gaveUp') => void
}

/**
 * The outcome of an attempt. A job that was given up is done as well: its row is deleted. An interrupted attempt writes
 * nothing here: the job is returned when the worker stops, or another worker holds it already.
 */
type AttemptOutcome =
  | { readonly kind: 'done'; readonly succeeded: boolean }
  | { readonly kind: 'cutShort' }
  | ({ readonly kind: 'retry' } & Omit<Retry, 'job'>)

/** Makes one attempt at a job. */
export async function attempt(
  options: AttemptOptions,
  task: Task,
  job: Job,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { log, count } = options
  const work = workOn(options, job, signal)
  try {
    signal.throwIfAborted()
    await task.run(work)
  } catch (error) {
    if (signal.aborted) return { kind: 'cutShort' }
    const wait = retryDelay(error, task.retryDelays[job.attempts - 1])
    if (wait !== undefined) {
      const counts = !(error instanceof Postponed)
      if (counts) count(task.name, 'failed')
      const pause = error instanceof GroupFailure ? error.pause : undefined
      return { kind: 'retry', wait, error: messageOf(error), counts, pause }
    }
    count(task.name, 'gaveUp')
    if (!(error instanceof PermanentFailure))
      log({ level: 'error', task: task.name, tenantId: job.tenantId, error: messageOf(error) })
    await task.onGiveUp?.(work, error)
    return { kind: 'done', succeeded: false }
  }
  count(task.name, 'done')
  return { kind: 'done', succeeded: true }
}

function workOn({ database, outbound }: AttemptOptions, job: Job, signal: AbortSignal): Work {
  const { tenantId, payload, attempts } = job
  return {
    tenantId,
    payload,
    attempt: attempts,
    signal,
    outbound,
    service: tenantCaller(tenantId),
    caller: userId => callerForUser(database, tenantId, userId, []),
    single: (caller, act) => database.single(caller, act),
    transaction: (caller, act, changeSet) => database.transaction(caller, act, changeSet ? { changeSet } : {}),
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
