import { fault, Refusal } from '../refusal.ts'

/** How deep a body may nest. */
export const maxDepth = 20

/** Parses a body that PostgreSQL can store: no NUL, no half of a surrogate pair, no prototype, no abyss. */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Refusal(400, 'malformed-json', malformed(text, error))
  }
  // Only an escape can bring in what is not allowed, except for depth and the name of the prototype.
  inspect(value, [], /\\u(0000|[dD][89a-fA-F])/.test(text))
  return value
}

function malformed(text: string, error: unknown): string {
  if (text.trim() === '') return 'the body is empty, and JSON is expected'
  const position = brokenAt(text, error)
  if (position === undefined) return 'the body is not valid JSON'
  if (position >= text.length) return 'the body is not valid JSON: it ends too early'
  const lines = text.slice(0, position).split('\n')
  return `the body is not valid JSON: see line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

const longestSearched = 100_000

/** Up to where the text is the beginning of some JSON. The engine tells it of some faults only; of the rest it is found by halving. */
function brokenAt(text: string, error: unknown): number | undefined {
  const told = endOfSense(text, error)
  if (told !== undefined || text.length > longestSearched) return told
  let [good, bad] = [0, text.length]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isBeginning(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return good
}

function endOfSense(text: string, error: unknown): number | undefined {
  const message = error instanceof Error ? error.message : ''
  if (message.startsWith('Unexpected end')) return text.length
  const position = /position (\d+) \(line/.exec(message)?.[1]
  return position === undefined ? undefined : Number(position)
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    return endOfSense(text, error) === text.length
  }
}

/** `path` is where the value stands; it grows and shrinks with the walk. */
function inspect(value: unknown, path: (string | number)[], escapes: boolean): void {
  if (typeof value === 'string') {
    if (escapes) refuseUnstorable(value, path)
    return
  }
  if (value === null || typeof value !== 'object') return
  if (path.length >= maxDepth) throw new Refusal(400, 'too-deep', `the body nests deeper than ${maxDepth} levels`)
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      if (typeof value[i] === 'object' || escapes) inspect(value[i], [...path, i], escapes)
    }
    return
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__' || key === 'constructor')
      throw new Refusal(400, 'forbidden-name', `a property must not be called ${key}`)
    if (escapes) refuseUnstorable(key, [...path, key])
    const content = Reflect.get(value, key)
    if (typeof content === 'object' || escapes) inspect(content, [...path, key], escapes)
  }
}

function refuseUnstorable(text: string, path: (string | number)[]): void {
  if (text.includes('\u0000')) throw unstorable(path, 'holds the character NUL, which cannot be stored')
  if (!text.isWellFormed()) throw unstorable(path, 'holds half of a surrogate pair, which cannot be stored')
}

/** The place is told in a spelling that can be shown. */
function unstorable(path: (string | number)[], message: string): Refusal {
  const shown = path.map(step => (typeof step === 'string' ? step.replaceAll('\0', '').toWellFormed() : step))
  return new Refusal(400, 'unstorable-text', `a text ${message}`, {
    faults: [fault(shown, 'unstorable-text', message)],
  })
}

/** A line that is no JSON: it fails by itself, the lines around it do not. */
export class MalformedLine extends Error {}

/** One JSON value a line; empty lines do not count. */
export function parseLines(text: string): unknown[] {
  return text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      try {
        return parseJson(line)
      } catch (error) {
        return new MalformedLine(error instanceof Error ? error.message : '')
      }
    })
}
