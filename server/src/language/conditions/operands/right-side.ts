import { unreadableRightSide } from '../condition-fault.ts'
import type { Viewer } from '../vocabulary.ts'

// The right side is a string that a person wrote. It is parsed completely here, so that no cast in SQL can fail on it.

/** `["a", 1]` is a list; anything else is one literal, including text that only begins like a list. */
export function readList(text: string): string[] {
  const list = text.trimStart().startsWith('[') ? parseArray(text) : undefined
  return [...new Set((list ?? [text]).map(readWord))]
}

function parseArray(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function readWord(word: unknown): string {
  if (typeof word === 'string') return readText(word)
  if (typeof word === 'number' || typeof word === 'boolean') return String(word)
  throw unreadableRightSide('a list holds texts, numbers and true or false only')
}

/** PostgreSQL cannot store the character NUL, but JSON can contain it. */
export function readText(text: string): string {
  if (text.includes('\0')) throw unreadableRightSide('contains the character NUL')
  return text
}

/** A decimal number as text, so that no digit is lost; three digits of exponent suffice for any value. */
export function readNumber(text: string): string {
  const number = text.trim()
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(number)) throw unreadableRightSide('is not a number')
  return number
}

const truths = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
])

export function readBoolean(text: string): boolean {
  const truth = truths.get(text.trim().toLowerCase())
  if (truth === undefined) throw unreadableRightSide('is neither true nor false')
  return truth
}

export function readUuid(text: string): string {
  const id = text.trim()
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw unreadableRightSide('is not an id')
  return id
}

/** The id of a record or a user; `@me` and `@actor` are users too. */
export function readWho(text: string, viewer: Viewer): string {
  const word = text.trim().toLowerCase()
  if (word === '@me') return readUuid(viewer.userId)
  if (word === '@actor') return readUuid(viewer.actorId ?? viewer.userId)
  return readUuid(text)
}

/** `a..b`, `a..` or `..b`: the two ends as they are written. */
export function readRange(text: string): { from?: string; to?: string } {
  const middle = text.indexOf('..')
  const from = text.slice(0, middle).trim()
  const to = text.slice(middle + 2).trim()
  if (middle < 0 || (!from && !to)) throw unreadableRightSide('is not a range such as 1..5')
  return { ...(from && { from }), ...(to && { to }) }
}
