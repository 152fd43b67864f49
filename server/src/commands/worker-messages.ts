import type { Worker } from 'node:cluster'
import type { LimitQuestion } from './shared-limits.ts'

// What the first process and its workers tell each other. Requests carry a number, which the answer repeats.

/** What a worker asks the first process: to clear the caches of the others, for the metrics of all, for its part of the limits. */
export type Question = { forget: string } | { metrics: true } | LimitQuestion

export type FromWorker =
  | 'loaded'
  | 'ready'
  | 'welcomed'
  | ({ ask: number } & Question)
  | { forgot: number }
  | { left: number }

export type ToWorker =
  | 'stop'
  | { welcome: string }
  | { begin: string }
  | { answer: number; text: string }
  | { forget: string; number: number }

/** How long to wait for a process that does not answer; ms. */
export const maxWait = 1000

/** A worker that dies at this moment needs no message. */
export function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {})
}
