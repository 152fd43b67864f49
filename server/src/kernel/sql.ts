import { createHash } from 'node:crypto'

/** A piece of SQL with its bound values: pieces nest in pieces, values never become text. */
export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

/** ``sql`select … where id = ${id}` ``: a value is bound, a nested piece is spliced in. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values)
}

/** Text of ours that no caller had a hand in: a column from a fixed map, a table of a declaration. */
export function raw(text: string): Sql {
  return new Sql([text], [])
}

/** A piece without values, made into one text: for what is put together once and used with every request. */
export function flat(piece: Sql): Sql {
  const values: unknown[] = []
  const text = place(piece, values)
  return values.length === 0 ? raw(text) : piece
}

/** A quoted identifier, for names that come from our own declarations. */
export function name(identifier: string): Sql {
  if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(identifier)) throw new Error(`not an identifier: ${identifier}`)
  return raw(`"${identifier}"`)
}

export const nothing: Sql = raw('')

/** Pieces side by side, with `separator` between them. */
export function join(pieces: readonly Sql[], separator = ', '): Sql {
  if (pieces.length === 0) return nothing
  return new Sql(['', ...pieces.slice(1).map(() => separator), ''], pieces)
}

/** All of the pieces must hold; none at all is true. */
export function and(pieces: readonly Sql[]): Sql {
  return pieces.length === 0 ? raw('true') : sql`(${join(pieces, ' and ')})`
}

/** One of the pieces must hold; none at all is false. */
export function or(pieces: readonly Sql[]): Sql {
  return pieces.length === 0 ? raw('false') : sql`(${join(pieces, ' or ')})`
}

/** A statement as the driver takes it. */
export interface Statement {
  name?: string
  text: string
  values: unknown[]
}

/** Flattens a piece into one text with numbered places. */
export function render(piece: Sql): Statement {
  const values: unknown[] = []
  const text = place(piece, values)
  const statementName = preparedName(text)
  return statementName ? { name: statementName, text, values } : { text, values }
}

function place(piece: Sql, values: unknown[]): string {
  let text = piece.strings[0] ?? ''
  for (let i = 0; i < piece.values.length; i++) {
    const value = piece.values[i]
    if (value instanceof Sql) text += place(value, values)
    else {
      values.push(value)
      text += `$${values.length}`
    }
    text += piece.strings[i + 1] ?? ''
  }
  return text
}

// A named statement is parsed and planned once per connection, which more than doubles a point read. Texts that filters
// compose are without number, so a text earns its name by coming a second time, and only so many get one.
const mostNames = 1000
const names = new Map<string, string | undefined>()

function preparedName(text: string): string | undefined {
  const known = names.get(text)
  if (known) return known
  if (names.size >= mostNames) return undefined
  const fresh = names.has(text) ? createHash('sha1').update(text).digest('base64url') : undefined
  names.set(text, fresh)
  return fresh
}
