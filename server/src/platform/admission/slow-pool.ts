import { constants, setPriority } from 'node:os'
import type pg from 'pg'
import { openPool, type PoolOptions } from '../../kernel/postgres/connection-pool.ts'

/**
 * Connections for slow requests. The processes of PostgreSQL that serve them run with a lower priority, so that a slow
 * statement, which cannot be interrupted, takes a processor only from other slow ones. The server must be on this machine.
 */
export function openSlowPool(options: PoolOptions, size: number): pg.Pool {
  const pool = openPool(options, 'gantry_app', size)
  pool.on('connect', client => {
    const { processID } = client as pg.PoolClient & { processID: number }
    try {
      setPriority(processID, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // Without the right to do this, its statements compete with those of the others.
    }
  })
  return pool
}
