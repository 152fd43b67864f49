import { closeSync, fsyncSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Where everything of the embedded PostgreSQL lives inside the data directory. */
export interface DataDirectory {
  root: string
  cluster: string
  socket: string
  log: string
  /** The kernel's lock is held on this file, see lock.ts. */
  lock: string
  /** Names the holder of the lock, for messages only. */
  holder: string
  /** What must be remembered from start to start, see memory.ts. */
  connectionRecord: string
}

/** Creates the data directory if need be and names its parts by absolute paths. */
export function openDataDirectory(path: string): DataDirectory {
  mkdirSync(resolve(path), { recursive: true, mode: 0o700 })
  const root = realpathSync(resolve(path))
  return {
    root,
    cluster: join(root, 'postgres'),
    socket: join(root, 'run'),
    log: join(root, 'postgres.log'),
    lock: join(root, 'service.lock'),
    holder: join(root, 'service.pid'),
    connectionRecord: join(root, 'postgres.json'),
  }
}

/** Makes a rename inside `directory` survive a power cut. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return // cannot open a directory, and does not need it
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
