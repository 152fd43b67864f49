import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const needed = 4 * 2 ** 30

/** The folder for temporary files: a file system in memory, if there is one with enough room. */
export function roomyFolder(): string {
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > needed ? memory : tmpdir()
}
