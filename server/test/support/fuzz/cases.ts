import fc from 'fast-check'
import { multipart } from '../multipart.ts'
import { fill, operations } from '../operations.ts'
import { hostileNumber, hostileText, hostileValue, rawBodies, tooLarge } from './hostile-values.ts'
import { openOperations } from './open-operations.ts'
import { type Parameter, parametersOf, plausibleValue } from './plausible-query.ts'

// Generates requests that are almost valid, and some that are not valid at all.

interface Mutation {
  where: number
  how: 'vary' | 'replace' | 'remove' | 'add' | 'wrap' | 'rename'
  text: string
  number: number
  value: unknown
  name: string
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  where: fc.nat(500),
  // Most values have the right type, because a wrong type is already refused by the validation.
  how: fc.oneof(
    { weight: 6, arbitrary: fc.constant('vary' as const) },
    { weight: 3, arbitrary: fc.constantFrom('replace', 'remove', 'add', 'wrap', 'rename') },
  ),
  text: hostileText,
  number: hostileNumber,
  value: hostileValue,
  name: fc.oneof(
    fc.constantFrom('id', 'ID', '__proto__', 'constructor', 'toString', 'Name', 'x', ''),
    fc.string({ maxLength: 20 }),
  ),
})

const headerArb = fc.record(
  {
    'if-match': fc.constantFrom('*', '"v1"', 'W/"v1"', '""', '"v99999999999999999999"', 'nonsense', '"v1", "v2"'),
    'if-none-match': fc.constantFrom('*', '"v1"', 'x'),
    'idempotency-key': fc.constantFrom('', 'a', 'a b', '\u00fc', 'k'.repeat(300), crypto.randomUUID()),
    prefer: fc.constantFrom(
      'return=minimal',
      'handling=strict',
      'handling=strict, return=minimal',
      'nonsense;;',
      'respond-async',
    ),
    accept: fc.constantFrom('*/*', 'application/xml', 'text/html', 'application/x-ndjson', ',,,'),
    range: fc.constantFrom(
      'bytes=0-0',
      'bytes=5-1',
      'bytes=-0',
      'bytes=999999-',
      'bytes=0-0,2-3',
      'lines=1',
      'bytes=99999999999999999999-',
    ),
    'x-api-key': fc.constantFrom('', 'gty_x', 'x'),
    'accept-language': fc.constantFrom('de', 'xx-nonsense', '*;q=9'),
    cookie: fc.constantFrom('a=b', '__proto__=1; ;;='),
  },
  { requiredKeys: [] },
)

const contentTypes = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-16',
  'application/vnd.x+json',
  'application/x-ndjson',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  '/',
  'application/json;;',
)

/** A parameter of the operation, with a plausible or a hostile value. */
interface QueryEntry {
  which: number
  pick: number
  hostile: string | null
}

/**
 * One request to send; `who` selects the caller. A foreign one names records of the other tenant, and a fresh one a record
 * that is made for it.
 */
export const cases = fc.record({
  op: fc.constantFrom(...operations, ...openOperations),
  who: fc.nat(1000),
  foreign: fc.nat(19).map(n => n === 0),
  fresh: fc.nat(3).map(n => n === 0),
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant('mutated' as const) },
    { weight: 1, arbitrary: fc.constantFrom('random', 'raw') },
  ),
  // Every third request is valid.
  mutations: fc.oneof(
    { weight: 1, arbitrary: fc.constant<Mutation[]>([]) },
    { weight: 2, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 3 }) },
  ),
  random: fc.jsonValue({ maxDepth: 4 }),
  raw: fc.constantFrom(...rawBodies),
  param: fc.oneof(
    { weight: 10, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.uuid() },
  ),
  query: fc.oneof(
    fc.constant<QueryEntry[]>([]),
    fc.array<QueryEntry>(
      fc.record({
        which: fc.nat(1000),
        pick: fc.nat(1000),
        hostile: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: hostileText }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  ),
  headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headerArb }),
  contentType: fc.oneof(
    { weight: 12, arbitrary: fc.constant('application/json') },
    { weight: 1, arbitrary: contentTypes },
  ),
})

export type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never

export interface Request {
  method: string
  path: string
  body: string | Uint8Array | undefined
  headers: Record<string, string>
}

/** The values of a valid request. */
export interface Sensible {
  params: Record<string, string>
  body: unknown
  /** The record in the path was made for this request. */
  isFresh?: boolean
}

/** Builds the request of a case. */
export function requestOf(
  { op, fresh, kind, mutations, random, raw, param, query, headers, contentType }: Case,
  sensible: Sensible,
): Request {
  const params = { ...sensible.params }
  if (param !== null) for (const name of op.params) params[name] = param.toWellFormed().slice(0, 3000)
  const known = [...parametersOf(op), ...strange]
  const search = (op.method === 'DELETE' ? [] : query).map(({ which, pick, hostile }) => {
    const parameter = known[which % known.length] ?? { name: 'x', schema: {} }
    const value = hostile?.toWellFormed().slice(0, 3000) ?? plausibleValue(op, parameter, pick)
    return `${encodeURIComponent(parameter.name)}=${encodeURIComponent(value)}`
  })
  // A deleted record would answer 404 to all later requests, so the shared records are deleted as a dry run only.
  if (op.method === 'DELETE' && param === null && !(fresh && sensible.isFresh)) search.push('dryRun=true')
  const path = fill(op.path, params) + (search.length > 0 ? `?${search.join('&')}` : '')
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
  const valid = sensible.body
  if (valid === undefined) return { method: op.method, path, body: undefined, headers: given }
  if (op.operation.form && kind === 'mutated') {
    const form = multipart(mutated(valid, mutations) as Record<string, unknown>)
    return { method: op.method, path, body: form.body, headers: { ...given, ...form.headers } }
  }
  const value = kind === 'random' ? random : mutated(valid, mutations)
  const body = kind === 'raw' ? raw : (JSON.stringify(value) ?? 'null').replaceAll(`"${tooLarge}"`, '1e400')
  return { method: op.method, path, body, headers: { ...given, 'content-type': contentType } }
}

/** Parameters that no operation has. */
const strange: Parameter[] = ['deleted', 'x', '__proto__', 'a[b][c]', ''].map(name => ({ name, schema: {} }))

/** Changes a value at given positions, counted from the top. */
function mutated(valid: unknown, mutations: readonly Mutation[]): unknown {
  let value: unknown = structuredClone(valid)
  for (const mutation of mutations) {
    const { where, how, name } = mutation
    const hostileCopy = structuredClone(mutation.value)
    const places = placesIn(value)
    const place = places[where % Math.max(1, places.length)]
    if (!place) return hostileCopy
    const { holder, key } = place
    const own = Reflect.get(holder, key)
    if (how === 'vary') Reflect.set(holder, key, varied(own, mutation))
    else if (how === 'replace') Reflect.set(holder, key, hostileCopy)
    else if (how === 'wrap') Reflect.set(holder, key, [own])
    else if (how === 'add') give(holder, name, hostileCopy)
    else {
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else Reflect.deleteProperty(holder, key)
      if (how === 'rename') give(holder, name, own)
    }
    if (where === 499) value = [value]
  }
  return value
}

/** Returns another value of the same type. */
function varied(own: unknown, { text, number, where }: Mutation): unknown {
  if (typeof own === 'string') return text
  if (typeof own === 'number') return number
  if (typeof own === 'boolean') return !own
  if (Array.isArray(own)) return where % 3 === 0 ? [] : [...own, ...own, ...own]
  return where % 2 === 0 ? {} : own
}

/** Defines the property, because a plain assignment does not work for every name. */
function give(holder: object, name: string, value: unknown): void {
  if (Array.isArray(holder)) holder.push(value)
  else Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
}

function placesIn(
  value: unknown,
  places: { holder: object; key: string }[] = [],
  depth = 0,
): { holder: object; key: string }[] {
  if (value === null || typeof value !== 'object' || depth > 5) return places
  for (const key of Object.keys(value).slice(0, 100)) {
    places.push({ holder: value, key })
    placesIn(Reflect.get(value, key), places, depth + 1)
  }
  return places
}
