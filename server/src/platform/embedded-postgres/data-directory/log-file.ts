import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'

const large = 10 * 1024 * 1024

/** The log of PostgreSQL, open for its output. */
export interface LogFile {
  handle: number
  /** Returns the current end of the log, to be passed to `since`. */
  mark(): number
  /** The last lines written since the mark, for an error message. */
  since(mark: number): string
  close(): void
}

/** Opens the log for appending. A large log is renamed first and replaces the previously renamed one. */
export function openLog(path: string): LogFile {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found && found.size > large) renameSync(path, `${path}.1`)
  const handle = openSync(path, 'a', 0o600)
  return {
    handle,
    mark: () => fstatSync(handle).size,
    since: mark => readFileSync(path).subarray(mark).toString().trim().split('\n').slice(-6).join('\n'),
    close: () => closeSync(handle),
  }
}
