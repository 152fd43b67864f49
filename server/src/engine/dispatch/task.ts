import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'

/** How a job is done. It may be cut short or done twice, so it must bear that. */
export interface Task {
  readonly name: string
  /** How many ms to wait after each failure; when the steps are used up, the job is given up. */
  readonly retryDelays: readonly number[]
  run(work: Work): Promise<void>
  /** Told when it is given up. */
  onGiveUp?(work: Work, error: unknown): Promise<void>
}

/** One job at hand, and the means to do it. */
export interface Work {
  readonly tenantId: Id
  readonly payload: Readonly<Record<string, unknown>>
  /** From 1 on. */
  readonly attempt: number
  /** Asks for an end: the service stops, or the job is no longer ours. */
  readonly signal: AbortSignal
  readonly outbound: Outbound
  /** The service itself at work for the tenant. */
  readonly service: Caller
  /** Somebody of the tenant, with what they hold now; undefined if they may no longer come in. */
  caller(userId: Id): Promise<Caller | undefined>
  single<T>(caller: Caller, act: (ctx: Context) => Promise<T>): Promise<T>
  transaction<T>(caller: Caller, act: (ctx: Context) => Promise<T>, changeSet?: Id): Promise<T>
}

/** Thrown by a task: not now. It comes again after so many ms, and this was no attempt. */
export class Postponed extends Error {
  readonly wait: number
  constructor(wait: number, message: string) {
    super(message)
    this.wait = wait
  }
}

/** Thrown by a task: it failed, and the next attempt is to wait for so many ms at least. */
export class TaskFailure extends Error {
  readonly least: number
  constructor(message: string, least = 0) {
    super(message)
    this.least = least
  }
}

/** Thrown by a task: no further attempt would help. */
export class PermanentFailure extends Error {}

/** How long until the next attempt, if there is to be one. A little more or less, so that what failed together does not come back together. */
export function retryDelay(error: unknown, step: number | undefined): number | undefined {
  if (error instanceof Postponed) return error.wait
  if (error instanceof PermanentFailure || step === undefined) return undefined
  return Math.max(error instanceof TaskFailure ? error.least : 0, step * (0.8 + 0.4 * Math.random()))
}
