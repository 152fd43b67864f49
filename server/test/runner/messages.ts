/**
 * The nesting levels in the reports of a worker: the driver is 0, a test file 1, the suite that contains it 2, its own
 * tests 3 and more.
 */
export const depthOfFile = 1
export const depthOfFileSuite = 2

/** The result of a test, a suite or a whole file. */
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

export type RunnerMessage = { file: string | undefined }
