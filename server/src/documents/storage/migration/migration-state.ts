/** The codes of `state` of a migration. */
export const migrationState = { running: 0, done: 1, stopped: 2, cancelled: 3 } as const
