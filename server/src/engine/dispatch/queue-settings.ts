/**
 * Settings for work on a queue. Its rows come and go faster than the statistics, so the planner uses indexes only, and one plan
 * serves all values: to plan a statement again takes longer than to run it. A commit does not wait for the disk: a crash loses at most the last moments of
 * the queue, which are then done again.
 */
export const queueSettings = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  synchronous_commit: 'off',
}
