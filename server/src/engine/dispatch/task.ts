import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'

/** Runs jobs of one name. A run may be interrupted or repeated, so it must be idempotent. */
export interface Task {
  readonly name: string
  /** The delay after each failure; ms. When there are no further delays, the job is given up. */
  readonly retryDelays: readonly number[]
  run(work: Work): Promise<void>
  /** Called when the job is given up. */
  onGiveUp?(work: Work, error: unknown): Promise<void>
}

/** One claimed job and what a task needs to run it. */
export interface Work {
  readonly tenantId: Id
  readonly payload: Readonly<Record<string, unknown>>
  /** The number of the attempt, starting at 1. */
  readonly attempt: number
  /** Aborted when the service stops or the lease of the job was lost. */
  readonly signal: AbortSignal
  readonly outbound: Outbound
  /** The service itself as a caller in the tenant. */
  readonly service: Caller
  /** Returns a user of the tenant with their current permissions, or undefined if they may no longer sign in. */
  caller(userId: Id): Promise<Caller | undefined>
  single<T>(caller: Caller, act: (ctx: Context) => Promise<T>): Promise<T>
  transaction<T>(caller: Caller, act: (ctx: Context) => Promise<T>, changeSet?: Id): Promise<T>
}

/**
 * Thrown by a task that cannot run now. The job is due again after the given ms, and this does not count as an attempt.
 */
export class Postponed extends Error {
  readonly wait: number
  constructor(wait: number, message: string) {
    super(message)
    this.wait = wait
  }
}

/** Thrown by a task that failed and knows the minimal delay before the next attempt; ms. */
export class TaskFailure extends Error {
  readonly least: number
  constructor(message: string, least = 0) {
    super(message)
    this.least = least
  }
}

/**
 * Thrown by a task whose failure concerns all jobs of its group, because it is their common address that failed. Until one
 * of them succeeds, one is attempted at a time, and none within the next `pause` ms.
 */
export class GroupFailure extends TaskFailure {
  readonly pause: number
  constructor({ message, least }: TaskFailure, pause: number) {
    super(message, least)
    this.pause = pause
  }
}

/** Thrown by a task when no further attempt can succeed. */
export class PermanentFailure extends Error {}

/**
 * Returns the delay until the next attempt, or undefined if there is none. The delay is randomised, so that jobs which
 * failed together do not return together.
 */
export function retryDelay(error: unknown, step: number | undefined): number | undefined {
  if (error instanceof Postponed) return error.wait
  if (error instanceof PermanentFailure || step === undefined) return undefined
  return Math.max(error instanceof TaskFailure ? error.least : 0, step * (0.8 + 0.4 * Math.random()))
}
