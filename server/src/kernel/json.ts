import { Refusal } from './refusal.ts'

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
  inspect(value, 0, /\\u(0000|[dD][89a-fA-F])/.test(text))
  return value
}

function malformed(text: string, error: unknown): string {
  if (text.trim() === '') return 'the body is empty, and JSON is expected'
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  if (position === undefined) return 'the body is not valid JSON: it ends too early'
  const lines = text.slice(0, Number(position)).split('\n')
  return `the body is not valid JSON: see line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

function inspect(value: unknown, depth: number, escapes: boolean): void {
  if (typeof value === 'string') {
    if (escapes) refuseUnstorable(value)
    return
  }
  if (value === null || typeof value !== 'object') return
  if (depth >= maxDepth) throw new Refusal(400, 'too-deep', `the body nests deeper than ${maxDepth} levels`)
  if (Array.isArray(value)) {
    for (const each of value) inspect(each, depth + 1, escapes)
    return
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__' || key === 'constructor')
      throw new Refusal(400, 'forbidden-name', `a property must not be called ${key}`)
    if (escapes) refuseUnstorable(key)
    inspect(Reflect.get(value, key), depth + 1, escapes)
  }
}

function refuseUnstorable(text: string): void {
  if (text.includes('\u0000'))
    throw new Refusal(400, 'unstorable-text', 'a text holds the character NUL, which cannot be stored')
  if (!text.isWellFormed())
    throw new Refusal(400, 'unstorable-text', 'a text holds half of a surrogate pair, which cannot be stored')
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
