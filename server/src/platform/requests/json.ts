import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fault, Refusal } from '../../kernel/refusal.ts'

/** Reads bodies of JSON, and of one JSON value per line. */
export function mountJson(app: FastifyInstance): void {
  const parser =
    (parse: (text: string) => unknown) =>
    (_request: FastifyRequest, body: string | Buffer, done: (error: Error | null, value?: unknown) => void) => {
      try {
        done(null, parse(textOf(Buffer.from(body))))
      } catch (error) {
        done(error as Error)
      }
    }
  const asJson = parser(parseJson)
  app.addContentTypeParser('application/x-ndjson', { parseAs: 'buffer' }, parser(parseLines))
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, asJson)
  app.addContentTypeParser(/^application\/[\w.!#$&^-]+\+json(;|$)/, { parseAs: 'buffer' }, asJson)
}

/** Bytes that are not UTF-8 would be stored as other characters than were sent. */
function textOf(body: Buffer): string {
  if (!isUtf8(body)) throw new Refusal(400, 'malformed', 'the body is not UTF-8')
  return body.toString()
}

/** The deepest nesting of a body. */
export const maxDepth = 20

/** Parses JSON and refuses what cannot be stored safely: NUL, half of a surrogate pair, a prototype, deep nesting. */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Refusal(400, 'malformed-json', malformed(text, error))
  }
  // Only an escape sequence can produce a forbidden character, so texts without one are not searched.
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

const maxSearchedLength = 100_000

/** Returns where the text stops being valid JSON. V8 reports a position for some faults only; the others are found by bisection. */
function brokenAt(text: string, error: unknown): number | undefined {
  const reported = reportedPosition(text, error)
  if (reported !== undefined || text.length > maxSearchedLength) return reported
  let [good, bad] = [0, text.length]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isBeginning(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return good
}

function reportedPosition(text: string, error: unknown): number | undefined {
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
    return reportedPosition(text, error) === text.length
  }
}

/** `path` is the place of the value in the body. */
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

/** The pointer of the fault leaves out the characters that cannot be shown. */
function unstorable(path: (string | number)[], message: string): Refusal {
  const shown = path.map(step => (typeof step === 'string' ? step.replaceAll('\0', '').toWellFormed() : step))
  return new Refusal(400, 'unstorable-text', `a text ${message}`, {
    faults: [fault(shown, 'unstorable-text', message)],
  })
}

/** A line that is not JSON: it fails by itself, and the other lines are processed. */
export class MalformedLine extends Error {}

/** Parses one JSON value per line; empty lines are ignored. */
function parseLines(text: string): unknown[] {
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
