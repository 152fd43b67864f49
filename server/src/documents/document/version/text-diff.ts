import { structuredPatch } from 'diff'

/** A changed part of a text with the lines around it; each line begins with a space, `-` or `+`. */
interface Hunk {
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  lines: string[]
}

export interface TextDiff {
  /** False if the comparison took too long: then everything between the equal beginning and end counts as changed. */
  exact: boolean
  hunks: Hunk[]
}

/** The event loop waits for a comparison, so it is short. Texts that differ in a few hundred lines take a few milliseconds. */
const maxTime = 200

/** Compares two texts line by line. */
export function diffTexts(from: string, to: string): TextDiff {
  const found = structuredPatch('', '', from, to, undefined, undefined, { context: 3, timeout: maxTime })
  return found
    ? { exact: true, hunks: found.hunks }
    : { exact: false, hunks: replaced(from.split('\n'), to.split('\n')) }
}

/** One hunk from the first to the last line that differs. */
function replaced(from: readonly string[], to: readonly string[]): Hunk[] {
  let start = 0
  while (start < from.length && from[start] === to[start]) start++
  let end = 0
  while (end < Math.min(from.length, to.length) - start && from.at(-1 - end) === to.at(-1 - end)) end++
  const [removed, added] = [from.slice(start, from.length - end), to.slice(start, to.length - end)]
  const lines = [...removed.map(line => `-${line}`), ...added.map(line => `+${line}`)]
  return [{ oldStart: start + 1, oldLines: removed.length, newStart: start + 1, newLines: added.length, lines }]
}
