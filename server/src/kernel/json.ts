import { fault, Refusal } from './refusal.ts'

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
  if (path.length >= maxDepth) throw refusal('too-deep', `the body nests deeper than ${maxDepth} levels`, path)
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      path.push(i)
      inspect(value[i], path, escapes)
      path.pop()
    }
    return
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__' || key === 'constructor')
      throw refusal('forbidden-name', `a property must not be called ${key}`, [...path, key])
    if (escapes) refuseUnstorable(key, path)
    path.push(key)
    inspect(Reflect.get(value, key), path, escapes)
    path.pop()
  }
}

function refuseUnstorable(text: string, path: readonly (string | number)[]): void {
  if (text.includes('\u0000'))
    throw refusal('unstorable-text', 'a text holds the character NUL, which cannot be stored', path)
  if (!text.isWellFormed())
    throw refusal('unstorable-text', 'a text holds half of a surrogate pair, which cannot be stored', path)
}

function refusal(code: string, message: string, path: readonly (string | number)[]): Refusal {
  return new Refusal(400, code, message, { faults: [fault(path, code, message)] })
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
