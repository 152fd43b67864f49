import { closeSync, fsyncSync, openSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ensureDataDir } from '../../data-dir/data-dir.ts'

/** The paths of the embedded PostgreSQL inside the data directory. */
export interface DataDirectory {
  root: string
  cluster: string
  socket: string
  log: string
  /** The file that the kernel lock is taken on, see directory-lock.ts. */
  lock: string
  /** Names the process with the lock, for messages only. */
  holder: string
  /** The connection parameters that are kept from one start to the next, see connection-record.ts. */
  connectionRecord: string
}

/** Creates the data directory if necessary and returns the absolute paths of its parts. */
export function openDataDirectory(path: string): DataDirectory {
  ensureDataDir(path)
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
  if (process.platform === 'win32') return // Windows cannot open a directory, and does not need this
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
