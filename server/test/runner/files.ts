import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

// The durations of the last run on this machine. Without them the order is estimated, and the workers finish less
// evenly.
const memory = 'node_modules/.cache/gantry/test-durations.json'

export const allTestFiles = (): string[] =>
  globSync(['server/{src,test}/**/*.test.ts', 'sdk/test/*.test.ts', 'web/{src,test}/**/*.test.ts']).sort()

/** Returns these files, the longest first, so that no worker is left alone with a long one. */
export function longestFirst(files: readonly string[]): string[] {
  const known = durations()
  const cost = (file: string) => known[file] ?? guess(file)
  return [...files].sort((a, b) => cost(b) - cost(a))
}

/** Estimates milliseconds: the length of the file counts, and what it starts or waits for. */
function guess(file: string): number {
  const text = readFileSync(file, 'utf8')
  const extra = slow.filter(([sign]) => file.startsWith(sign) || text.includes(sign))
  return extra.reduce((sum, [, milliseconds]) => sum + milliseconds, text.length / 10)
}

/** What makes a file slow, by its folder or by a call in it. */
const slow: readonly (readonly [sign: string, milliseconds: number])[] = [
  ['server/test/', 10_000],
  ['server/test/suites/', 20_000],
  ['engines(', 10_000],
  ['openBrowsers(', 30_000],
]

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
