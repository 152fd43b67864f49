import { createHash } from 'node:crypto'

const maxShapes = 20_000
const raws = new Map<string, Sql>()
const joints = new Map<string, readonly string[]>()

/** A piece of SQL with its bound values: pieces nest in pieces, values never become text. */
export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  /** Planned for itself each time it is sent. */
  readonly anew: boolean

  constructor(strings: readonly string[], values: readonly unknown[], anew = false) {
    this.strings = strings
    this.values = values
    this.anew = anew
  }
}

/** ``sql`select … where id = ${id}` ``: a value is bound, a nested piece is spliced in. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values)
}

/**
 * The same statement, never prepared: PostgreSQL then plans with the very values it was sent, where a plan that suits one
 * value may be a bad one for the next.
 */
export function anew({ strings, values }: Sql): Sql {
  return new Sql(strings, values, true)
}

/** Text of ours that no caller had a hand in: a column from a fixed map, a table of a declaration. */
export function raw(text: string): Sql {
  const known = raws.get(text)
  if (known) return known
  const piece = new Sql([text], [])
  if (raws.size < maxShapes) raws.set(text, piece)
  return piece
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
  const key = `${pieces.length}${separator}`
  const known = joints.get(key) ?? ['', ...pieces.slice(1).map(() => separator), '']
  joints.set(key, known)
  return new Sql(known, pieces)
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

/**
 * Flattens a piece into one text with numbered places. Most requests send texts of thousands of characters that were
 * sent before: they are recognised by the shape of their pieces (each template is one object for the life of the
 * process) and neither put together nor compared again.
 */
export function render(piece: Sql): Statement {
  const values: unknown[] = []
  if (piece.anew) return { text: place(piece, values), values }
  const shape = shapeOf(piece, values)
  let known = statements.get(shape)
  if (!known) {
    known = { text: place(piece, []), name: undefined, again: false }
    if (statements.size < maxNames) statements.set(shape, known)
  } else if (!known.again) {
    // A named statement is parsed and planned once per connection, which more than doubles a point read. Texts that
    // filters compose are without number, so a text earns its name by coming a second time, and only so many get one.
    known.again = true
    known.name = createHash('sha1').update(known.text).digest('base64url')
  }
  return known.name ? { name: known.name, text: known.text, values } : { text: known.text, values }
}

const maxNames = 1000
const statements = new Map<string, { text: string; name: string | undefined; again: boolean }>()
const shapes = new WeakMap<readonly string[], number>()
let shapeCount = 0

function shapeOf(piece: Sql, values: unknown[]): string {
  let id = shapes.get(piece.strings)
  if (id === undefined) {
    id = ++shapeCount
    shapes.set(piece.strings, id)
  }
  let shape = String(id)
  for (const value of piece.values) {
    if (value instanceof Sql) shape += `(${shapeOf(value, values)})`
    else {
      values.push(value)
      shape += '.'
    }
  }
  return shape
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
