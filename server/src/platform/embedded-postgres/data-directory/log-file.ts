import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'

const large = 10 * 1024 * 1024

/** The log of PostgreSQL, open for its output. */
export interface LogFile {
  handle: number
  /** A mark to quote from later. */
  mark(): number
  /** The last lines written since the mark, for an error message. */
  since(mark: number): string
  close(): void
}

/** Opens the log to append; a large one is put aside first, replacing the one put aside before. */
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
