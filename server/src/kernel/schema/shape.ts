import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { type Fault, fault, Invalid } from '../refusal.ts'
import { formats } from './formats.ts'

/** One code of a table: the integer in records, its name for programs and its label for people. */
interface CodeMeaning {
  readonly code: number
  readonly name: string
  readonly label: string
}

/**
 * The meanings of the integers of one property. Tables are append only: a code never changes its meaning. From `from` on a code
 * is a plain number, such as a number of minutes, and has no name of its own.
 */
export interface CodeTable {
  readonly field: string
  readonly meanings: readonly CodeMeaning[]
  readonly from?: CodeMeaning
}

/** A JSON Schema with the keywords that the service uses. Every TypeBox type is one. */
export interface Schema {
  type?: string | readonly string[]
  title?: string
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[] | undefined
  items?: Schema
  additionalProperties?: boolean | Schema
  format?: string
  nullable?: boolean
  default?: unknown
  const?: unknown
  enum?: readonly unknown[]
  examples?: unknown
  pattern?: string | RegExp
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  writeOnly?: boolean
  readOnly?: boolean
  oneOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  allOf?: readonly Schema[]
  $ref?: string
  contentMediaType?: string
  /** The parameter must be given. */
  'x-required'?: boolean
  /** The kind of record whose ids the texts may contain. */
  'x-mentions'?: unknown
  /** The kind of record that an id names. */
  'x-ref'?: string
  /** The meanings of the integer. */
  'x-codes'?: CodeTable
  /** The type of the column, where it does not follow from the rest. */
  'x-column'?: string
  /** Lists compare the text without regard to case and accents, as conditions do. */
  'x-folded'?: boolean
  /** Says what is wrong with a value, of whatever type, where no other keyword can. */
  'x-check'?: (value: unknown) => { code: string; message: string } | undefined
  /** Gives equal values one notation, before they are validated. */
  'x-read'?: (value: unknown) => unknown
  /** A mark of TypeBox, which the service does not read. */
  '~unsafe'?: unknown
}

type Check = NonNullable<Schema['x-check']>

const ajv = new Ajv({ allErrors: true, strict: false, verbose: true, ownProperties: true })
ajv.addKeyword({ keyword: 'x-check', validate: (check: Check, value: unknown) => !check(value) })
for (const [format, { check }] of Object.entries(formats)) ajv.addFormat(format, check)

/** The properties of every record. Clients send whole records back, so requests may contain them; they are ignored. */
export const commonNames = [
  'entity',
  'tenantId',
  'id',
  'created',
  'createdBy',
  'updated',
  'updatedBy',
  'deleted',
  'version',
] as const
const commonByLowerCase = new Set(commonNames.map(each => each.toLowerCase()))

export interface ReaderOptions {
  /** Further properties that only the service sets: like the common ones, accepted and ignored. */
  ignored?: readonly string[]
  /** References that no record is without; by default those that are required. */
  neverEmpty?: readonly string[]
}

export interface ReadOptions {
  /** Receives the unknown top-level properties. */
  collect?: (name: string, value: unknown) => void
  /** Refuses unknown top-level properties although the schema allows them. */
  strict?: boolean
}

export type Reader<T> = (body: unknown, options?: ReadOptions) => T

/** Makes the function that turns a body into a value of the schema, or throws all its faults. */
export function reader<T>(schema: Schema, options: ReaderOptions = {}): Reader<T> {
  // Compiled on first use: to compile the schemas of all operations would take most of the service's start.
  let compiled: ValidateFunction | undefined
  const ignored = new Set([...commonByLowerCase, ...(options.ignored ?? []).map(each => each.toLowerCase())])
  return (body, more) => {
    const faults: Fault[] = []
    const value = normalizeNames(body, schema, [], faults, { ignored, ...more })
    compiled ??= ajv.compile(schema)
    const validate = compiled
    if (!validate(value)) faults.push(...(validate.errors ?? []).filter(isOwnFault).map(toFault))
    faults.push(...emptyReferences(value, schema, options.neverEmpty))
    if (faults.length > 0) throw new Invalid(distinct(faults))
    return value as T
  }
}

/** An empty text means no record, which is not a value of a required reference. */
function emptyReferences(value: unknown, { properties = {}, required = [] }: Schema, names = required): Fault[] {
  if (value === null || typeof value !== 'object') return []
  return names
    .filter(name => properties[name]?.['x-ref'] !== undefined && Reflect.get(value, name) === '')
    .map(name => fault([name], 'required', 'is required'))
}

interface NameOptions extends ReadOptions {
  ignored?: ReadonlySet<string>
}

/** Names of properties are not case-sensitive: gives them their declared case, drops ignored ones and reports unknown ones. */
function normalizeNames(
  value: unknown,
  schema: Schema,
  path: (string | number)[],
  faults: Fault[],
  at: NameOptions = {},
): unknown {
  if (Array.isArray(value)) {
    const { items } = schema
    return items && hasNames(items) ? value.map((each, i) => normalizeNames(each, items, [...path, i], faults)) : value
  }
  if (value === null || typeof value !== 'object' || !schema.properties) return schema['x-read']?.(value) ?? value
  const names = spelling(schema)
  const result: Record<string, unknown> = {}
  for (const [given, content] of Object.entries(value)) {
    const proper = names.get(given) ?? names.get(given.toLowerCase())
    if (proper !== undefined) {
      if (Object.hasOwn(result, proper)) faults.push(fault([...path, given], 'duplicate', `${proper} is given twice`))
      result[proper] = normalizeNames(content, schema.properties[proper] ?? {}, [...path, proper], faults)
    } else if (at.ignored?.has(given.toLowerCase())) {
      // Part of a whole record that was sent back.
    } else if (at.collect && !at.strict) at.collect(given, content)
    else if (at.strict || schema.additionalProperties === false)
      faults.push(unknownProperty([...path, given], given, names))
    else result[given] = content
  }
  return result
}

function hasNames(schema: Schema): boolean {
  return Boolean(schema.properties ?? schema['x-read'] ?? (schema.items && hasNames(schema.items)))
}

const spellings = new WeakMap<Schema, Map<string, string>>()

function spelling(schema: Schema): Map<string, string> {
  let names = spellings.get(schema)
  if (!names) {
    const proper = Object.keys(schema.properties ?? {})
    names = new Map([
      ...proper.map(each => [each.toLowerCase(), each] as const),
      ...proper.map(each => [each, each] as const),
    ])
    spellings.set(schema, names)
  }
  return names
}

function unknownProperty(path: (string | number)[], given: string, names: Map<string, string>): Fault {
  const near = nearest(given, new Set(names.values()))
  return fault(
    path,
    'unknown',
    near ? `is not a property of this record; did you mean ${near}?` : 'is not a property of this record',
  )
}

/** Returns the known name that this one is probably a misspelling of. */
export function nearest(given: string, names: Iterable<string>): string | undefined {
  if (given.length > 60) return undefined
  let best: string | undefined
  let least = Math.min(4, Math.max(2, Math.floor(given.length / 3)) + 1)
  for (const each of names) {
    if (Math.abs(each.length - given.length) >= least) continue
    const distance = editDistance(given.toLowerCase(), each.toLowerCase())
    if (distance < least) [best, least] = [each, distance]
  }
  return best
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** `if` reports only that one of its branches does not hold, whose own faults are reported too. */
const isOwnFault = ({ keyword }: ErrorObject) => keyword !== 'if'

function toFault(error: ErrorObject): Fault {
  const path: (string | number)[] = error.instancePath.split('/').slice(1).map(unescapePointer)
  if (error.keyword === 'required') path.push(String(error.params.missingProperty))
  if (error.keyword === 'additionalProperties') path.push(String(error.params.additionalProperty))
  // A write-only value such as a password is not repeated, not even to its sender.
  const silent = error.keyword === 'required' || error.parentSchema?.writeOnly === true
  const found = error.keyword === 'x-check' ? (error.schema as Check)(error.data) : undefined
  if (found) return fault(path, found.code, found.message)
  return fault(path, codeOf(error), messageOf(error), silent ? undefined : error.data)
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

function codeOf(error: ErrorObject): string {
  return error.keyword === 'format' ? String(error.params.format) : error.keyword
}

function messageOf({ keyword, params, message, parentSchema }: ErrorObject): string {
  const codes: CodeTable | undefined = parentSchema?.['x-codes']
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'type':
      if (codes) return `must be an integer or a name of the code table ${codes.field}`
      return `must be ${[params.type].flat().map(articled).join(' or ')}`
    case 'format':
      return formats[String(params.format)]?.says ?? `must be a ${params.format}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'maxItems':
      return `must have at most ${params.limit} entries`
    case 'pattern':
      return params.pattern === '\\S' ? 'must not be blank' : `must match ${params.pattern}`
    case 'enum':
      return `must be one of ${params.allowedValues.join(', ')}`
    default:
      return message ?? 'is not valid'
  }
}

function articled(type: unknown): string {
  return type === 'null' ? 'null' : /^[aeiou]/.test(String(type)) ? `an ${type}` : `a ${type}`
}

function distinct(faults: Fault[]): Fault[] {
  const seen = new Set<string>()
  return faults.filter(({ Pointer, Code }) => {
    const known = seen.has(`${Pointer} ${Code}`)
    seen.add(`${Pointer} ${Code}`)
    return !known
  })
}
