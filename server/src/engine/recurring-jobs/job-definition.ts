/** Work that runs at intervals. A run may be interrupted and repeated, so it must be idempotent. */
export interface RecurringJob {
  readonly name: string
  /** The interval between two runs; ms. */
  readonly every: number
  /** Resolves when the run is complete. When the signal is aborted, it throws at the next safe point: `signal.throwIfAborted()`. */
  run(signal: AbortSignal): Promise<void>
}
