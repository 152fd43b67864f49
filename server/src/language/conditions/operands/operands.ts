import { raw, type Sql, sql } from '../../../kernel/sql.ts'
import { fold, foldAll } from '../operators/text-match.ts'
import type { ConditionValueKind, SingleValue, Viewer } from '../vocabulary.ts'
import { type DayOrInstant, readDuration, readMoment, spanOf } from './moments.ts'
import { readBoolean, readNumber, readWho } from './right-side.ts'

/** The kinds that support equality; an instant is compared with a span of time, not with an instant. */
type EquatableKind = Exclude<ConditionValueKind, 'instant'>

/** Converts the left side to the form in which it is compared. */
export function comparable(kind: EquatableKind, value: Sql, aside = false): Sql {
  if (aside) return sql`(${value})`
  if (kind === 'text') return fold(value)
  // A float would convert the other side to a float as well, where a long number overflows and fails the statement.
  if (kind === 'number' || kind === 'duration') return sql`(${value})::numeric`
  return sql`(${value})`
}

/** Converts the right side to one value of the kind's type. */
export function one(kind: EquatableKind, word: string, viewer: Viewer, aside = false): Sql {
  if (kind === 'text') return fold(sql`${word}`)
  if (aside && isNumber(kind)) return sql`${double(read(kind, word, viewer))}::float8`
  return sql`${read(kind, word, viewer)}::${raw(typeOf[kind])}`
}

/** Converts the right side to one array of the kind's type. */
export function many(kind: EquatableKind, words: string[], viewer: Viewer, aside = false): Sql {
  if (kind === 'text') return foldAll(words)
  if (aside && isNumber(kind)) return sql`${words.map(word => double(read(kind, word, viewer)))}::float8[]`
  return sql`${words.map(word => read(kind, word, viewer))}::${raw(typeOf[kind])}[]`
}

function isNumber(kind: EquatableKind): boolean {
  return kind === 'number' || kind === 'duration'
}

/** The nearest double; a number out of range becomes infinite, because PostgreSQL would refuse the conversion. */
function double(word: string | boolean): number {
  return Number(word)
}

const typeOf = {
  number: 'numeric',
  duration: 'numeric',
  boolean: 'boolean',
  date: 'date',
  id: 'uuid',
  user: 'uuid',
}

function read(kind: keyof typeof typeOf, word: string, viewer: Viewer): string | boolean {
  if (kind === 'number') return readNumber(word)
  if (kind === 'duration') return readMinutes(word)
  if (kind === 'boolean') return readBoolean(word)
  if (kind === 'date') return spanOf('date', readMoment(word, viewer), viewer).first
  return readWho(word, viewer)
}

// For a number of minutes, `PT4H` and 240 are the same.
function readMinutes(word: string): string {
  if (!/^\s*p/i.test(word)) return readNumber(word)
  const duration = readDuration(word, 'of a fixed length')
  return String(duration.total('minutes'))
}

/** A left side whose values have an order. */
export type Ordered = SingleValue & { kind: 'number' | 'duration' | 'date' | 'instant' }
export type Dated = SingleValue & { kind: 'date' | 'instant' }

/** The bounds that an ordered left side is compared with. They differ if the word stands for a whole day. */
export interface Ends {
  first: Sql
  last: Sql
}

export function ends(left: Ordered, word: string, viewer: Viewer): Ends {
  if (left.kind === 'date' || left.kind === 'instant') {
    return endsOf({ kind: left.kind, value: left.value }, readMoment(word, viewer), viewer)
  }
  const number = one(left.kind, word, viewer, left.precomputed)
  return { first: number, last: number }
}

export function endsOf(left: Dated, moment: DayOrInstant, viewer: Viewer): Ends {
  const type = raw(left.kind === 'date' ? 'date' : 'timestamptz')
  const span = spanOf(left.kind, moment, viewer)
  return { first: sql`${span.first}::${type}`, last: sql`${span.last}::${type}` }
}
