import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const memoryNeeded = 4 * 2 ** 30

/**
 * Creates an empty folder for databases, clusters and backups: in memory where there is room. They have thousands of small files,
 * which a disk creates and removes at a higher cost than the tests themselves.
 */
export function memoryFolder(prefix: string): string {
  const roomy = existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > memoryNeeded
  return mkdtempSync(join(roomy ? memory : tmpdir(), prefix))
}
