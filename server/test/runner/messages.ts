import type { Unit } from './units.ts'

/** Depths in what a worker tells: the driver is 0, a unit 1, its file as a suite 2, and from 3 on its own tests. */
export const depthOfUnit = 1
export const depthOfFile = 2

/** How a test, a suite or a whole unit ended. */
export interface Outcome {
  kind: 'outcome'
  depth: number
  name: string
  isSuite: boolean
  milliseconds: number
  /** File and line. */
  place: string | undefined
  /** Why it was not run. */
  skipped?: string
  failure?: string
  /** It failed for no other reason than a test inside of it. */
  onlyBelow?: boolean
}

export type WorkerMessage = { kind: 'next' } | { kind: 'note'; depth: number; text: string } | Outcome

export type RunnerMessage = { unit: Unit | undefined }
