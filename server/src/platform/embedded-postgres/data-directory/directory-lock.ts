import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DataDirectoryInUse, EmbeddedUnavailable } from '../errors.ts'
import type { DataDirectory } from './data-directory.ts'

// libuv accepts these flags in open() although Node does not define constants for them.
const exclusiveOnMac = 0x20 | constants.O_NONBLOCK
const exclusiveOnWindows = 0x10000000

/**
 * Locks the data directory for this process; throws DataDirectoryInUse when another process has the lock.
 *
 * The kernel releases the lock when the process ends in any way, so there are no stale locks and no reused pids to
 * handle. The file itself stays, since removing it would allow two processes to lock two files of the same name.
 */
export function lockDataDirectory(directory: DataDirectory): { release(): void } {
  const handle = process.platform === 'linux' ? flocked(directory) : openedExclusively(directory)
  writeFileSync(directory.holder, `${process.pid}\n`, { mode: 0o600 })
  let held = true
  return {
    release() {
      if (!held) return
      held = false
      rmSync(directory.holder, { force: true })
      closeSync(handle)
    },
  }
}

/** flock(2) belongs to the open file, which flock(1) shares with us: we keep the lock when that command has ended. */
function flocked(directory: DataDirectory): number {
  const handle = openSync(directory.lock, 'a', 0o600)
  const { status, error, stderr } = spawnSync('flock', ['-n', '-x', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', handle],
  })
  if (status === 0) return handle
  closeSync(handle)
  if (status === 1) throw inUse(directory)
  if (error)
    throw new EmbeddedUnavailable('the command flock is missing', 'install util-linux, which contains the command')
  throw new EmbeddedUnavailable(
    `${directory.lock} cannot be locked (${stderr})`,
    'move the data directory to a file system that supports locks',
  )
}

function openedExclusively(directory: DataDirectory): number {
  const exclusive = process.platform === 'win32' ? exclusiveOnWindows : exclusiveOnMac
  try {
    return openSync(directory.lock, constants.O_RDWR | constants.O_CREAT | exclusive, 0o600)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY')) {
      throw inUse(directory)
    }
    throw error
  }
}

function inUse(directory: DataDirectory): DataDirectoryInUse {
  return new DataDirectoryInUse(directory.root, holderOf(directory))
}

function holderOf({ holder }: DataDirectory): number | undefined {
  try {
    return Number.parseInt(readFileSync(holder, 'utf8'), 10) || undefined
  } catch {
    return undefined // it has the lock but has not written its pid yet
  }
}
