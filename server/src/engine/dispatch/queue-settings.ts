/**
 * Settings for work on a queue. Its rows come and go faster than the statistics, so the planner uses indexes only. A commit
 * does not wait for the disk: a crash loses at most the last moments of the queue, which are then done again.
 */
export const queueSettings = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  synchronous_commit: 'off',
}
