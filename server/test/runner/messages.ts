/** The nesting level of a test file in the reports of a worker; its tests have 1 and more. */
export const depthOfFile = 0

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

export type WorkerMessage =
  | { kind: 'next' }
  /** What the worker has sent to PostgreSQL and not told before; its last message before the next file. */
  | { kind: 'statements'; texts: string[] }
  | { kind: 'note'; depth: number; text: string }
  | Outcome

export type RunnerMessage = { file: string | undefined }
