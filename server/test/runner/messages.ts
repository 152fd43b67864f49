import type { Unit } from './units.ts'

/**
 * The nesting levels in the reports of a worker: the driver is 0, a unit 1, its file as a suite 2, its own tests 3 and
 * more.
 */
export const depthOfUnit = 1
export const depthOfFile = 2

/** The result of a test, a suite or a whole unit. */
export interface Outcome {
  kind: 'outcome'
  depth: number
  name: string
  isSuite: boolean
  milliseconds: number
  /** File and line. */
  place: string | undefined
  /** The reason why it was skipped. */
  skipped?: string
  failure?: string
  /** It failed only because a test inside of it failed. */
  onlyBelow?: boolean
}

export type WorkerMessage = { kind: 'next' } | { kind: 'note'; depth: number; text: string } | Outcome

export type RunnerMessage = { unit: Unit | undefined }
