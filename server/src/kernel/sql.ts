import { createHash } from 'node:crypto'

const maxShapes = 20_000
const raws = new Map<string, Sql>()
const joints = new Map<string, readonly string[]>()

/** A fragment of SQL with its bound values: fragments nest, and values never become text. */
export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  /** When PostgreSQL plans the statement, if not by its own estimate of costs: each time with the actual values, or once for all. */
  readonly planned: 'each time' | 'once' | undefined

  constructor(strings: readonly string[], values: readonly unknown[], planned?: Sql['planned']) {
    this.strings = strings
    this.values = values
    this.planned = planned
  }
}

/** The value that stands for the tenant of the caller, also in fragments that are composed once; the connection binds it. */
export const ownTenant = Symbol('the tenant of the caller')

/** ``sql`select … where id = ${id}` ``: a value is bound, a nested fragment is inserted. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values)
}

/** The same statement, never prepared, so that PostgreSQL plans with the actual values. */
export function unprepared(statement: Sql): Sql {
  return planned(statement, 'each time')
}

export function planned({ strings, values }: Sql, when: Sql['planned']): Sql {
  return new Sql(strings, values, when)
}

/** Text that never comes from a request: a column of a fixed map, a table of a declaration. */
export function raw(text: string): Sql {
  const known = raws.get(text)
  if (known) return known
  const piece = new Sql([text], [])
  if (raws.size < maxShapes) raws.set(text, piece)
  return piece
}

/** Renders a fragment into one that contains no others; it is composed once and used by every request. */
export function flat(piece: Sql): Sql {
  const values: unknown[] = []
  const text = flatten(piece, values)
  const used = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => values[Number(number) - 1])
  return used.length === 0 ? raw(text) : new Sql(text.split(/\$\d+/), used)
}

/** A quoted identifier, for names that come from declarations. */
export function name(identifier: string): Sql {
  if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(identifier)) throw new Error(`not an identifier: ${identifier}`)
  return raw(`"${identifier}"`)
}

export const nothing: Sql = raw('')

/** Joins fragments with a separator. */
export function join(pieces: readonly Sql[], separator = ', '): Sql {
  if (pieces.length === 0) return nothing
  const key = `${pieces.length}${separator}`
  const known = joints.get(key) ?? ['', ...pieces.slice(1).map(() => separator), '']
  joints.set(key, known)
  return new Sql(known, pieces)
}

/** All conditions must be true; no condition is true. */
export function and(pieces: readonly Sql[]): Sql {
  return pieces.length === 0 ? raw('true') : sql`(${join(pieces, ' and ')})`
}

/** One of the conditions must be true; no condition is false. */
export function or(pieces: readonly Sql[]): Sql {
  return pieces.length === 0 ? raw('false') : sql`(${join(pieces, ' or ')})`
}

/** A statement in the form of the driver. */
interface Statement {
  name?: string
  text: string
  values: unknown[]
}

/**
 * Renders a fragment into one text with numbered parameters. A statement that was sent before is recognized by the identity of
 * its templates (each is one object for the life of the process), so that its long text is not composed and compared again.
 */
export function render(piece: Sql): Statement {
  const values: unknown[] = []
  if (piece.planned === 'each time') return { text: flatten(piece, values), values }
  const shape = shapeOf(piece, values)
  const known = named.get(shape)
  if (known) return { name: known.name, text: known.text, values }
  const text = unnamed.get(shape) ?? flatten(piece, [])
  if (!unnamed.delete(shape) && !statementNames.atOnce) {
    if (unnamed.size >= statementNames.max) unnamed.clear()
    unnamed.set(shape, text)
    return { text, values }
  }
  if (named.size >= statementNames.max) {
    named.clear()
    statementNames.generation++
  }
  const name = createHash('sha1').update(text).digest('base64url')
  named.set(shape, { name, text })
  return { name, text, values }
}

// A named statement is parsed and planned once per connection, which more than doubles the speed of a point read. Filters
// compose any number of texts, so a text gets its name when it comes a second time, and the number of names is limited:
// every connection keeps the plans of all of them. When there are too many, all names are given up, and so are the
// connections that know them; otherwise a rare statement would keep the name that a frequent one needs. Tests repeat nearly every
// statement, so it gets its name at once there.
export const statementNames = { max: 1000, atOnce: false, generation: 0 }
const named = new Map<string, { name: string; text: string }>()
const unnamed = new Map<string, string>()
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
    else if (bind(value, values)) shape += '.'
  }
  return shape
}

function flatten(piece: Sql, values: unknown[]): string {
  let text = piece.strings[0] ?? ''
  for (let i = 0; i < piece.values.length; i++) {
    const value = piece.values[i]
    if (value instanceof Sql) text += flatten(value, values)
    else text += `$${bind(value, values)}`
    text += piece.strings[i + 1] ?? ''
  }
  return text
}

/** Adds a value and returns its number. The tenant is sent once. */
function bind(value: unknown, values: unknown[]): number {
  const known = value === ownTenant ? values.indexOf(ownTenant) + 1 : 0
  return known || values.push(value)
}
