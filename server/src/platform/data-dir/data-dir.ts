import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Creates the data directory if necessary, and tries to write to it. Throws an error that tells the operator what to do. */
export function ensureDataDir(path: string): void {
  const directory = resolve(path)
  const probe = join(directory, `.probe-${process.pid}`)
  try {
    createDirectory(directory)
    writeFileSync(probe, '', { mode: 0o600 })
    rmSync(probe)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(
      `The data directory ${directory} cannot be written to (${why}). Set DATA_DIR to a directory that belongs to the user of the service.`,
    )
  }
}

/** The option `recursive` of `mkdirSync` never ends in a file system that creates no directories, such as /proc. */
function createDirectory(path: string): void {
  if (existsSync(path)) return
  createDirectory(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!existsSync(path)) throw error // otherwise another process was faster
  }
}
