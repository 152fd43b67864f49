import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The unit of work of one worker: a test file, or one share of a file that divides its cases. */
export interface Unit {
  file: string
  /** `2/3` is the second of three shares; each share is a separate module with a separate database. */
  share?: string
}

/** The suites that divide their cases by operation (support/share.ts), and the number of shares. */
const shares: Record<string, number> = {
  'server/test/suites/contract.test.ts': 2,
  'server/test/suites/isolation.test.ts': 3,
  'server/test/suites/rights.test.ts': 2,
  'server/test/suites/lists.test.ts': 2,
}

// The durations of the last run on this machine. Without them the order is estimated, and the workers finish less
// evenly.
const memory = 'node_modules/.cache/gantry/test-durations.json'

export const allTestFiles = (): string[] => globSync('server/{src,test}/**/*.test.ts').sort()

/** Returns the units of these files, the longest first, so that no worker is left alone with a long one. */
export function unitsOf(files: readonly string[]): Unit[] {
  const known = durations()
  const cost = (unit: Unit) => known[nameOf(unit)] ?? guess(unit)
  return files
    .flatMap<Unit>(file => {
      const count = shares[file] ?? 1
      return count === 1 ? [{ file }] : Array.from({ length: count }, (_, i) => ({ file, share: `${i + 1}/${count}` }))
    })
    .sort((a, b) => cost(b) - cost(a))
}

export function nameOf({ file, share }: Unit): string {
  return share ? `${file} (${share})` : file
}

/**
 * Estimates milliseconds: tests in server/test start services or call every operation; elsewhere the length of the file
 * counts.
 */
function guess({ file }: Unit): number {
  return statSync(file).size / 10 + (file.startsWith('server/test/') ? 10_000 : 0)
}

function durations(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(memory, 'utf8'))
  } catch {
    return {} // this is the first run, or the cache is truncated
  }
}

export function rememberDurations(measured: Record<string, number>): void {
  mkdirSync(dirname(memory), { recursive: true })
  writeFileSync(memory, JSON.stringify({ ...durations(), ...measured }, undefined, 1))
}
