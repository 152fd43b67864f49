import type { Input, Operation, Reply, Routes } from '../../kernel/operation.ts'
import type { CodeTable, Schema } from '../../kernel/schema/shape.ts'
import { recordsIn } from '../../records/page/list-text.ts'

/** Gives the codes in a value their names. */
type Naming = (value: unknown) => unknown

/**
 * The same operations, which take the names of codes in parameters, too, and with `Prefer: codes=names` answer names instead of
 * codes. What has no name stays a number. Bodies are read with the names by their schemas.
 */
export function withCodeNames(routes: Routes): Routes {
  return Object.fromEntries(Object.entries(routes).map(([route, operation]) => [route, named(operation)]))
}

function named(operation: Operation): Operation {
  const { query = {}, reply } = operation
  const coded = Object.entries(query).filter(([, schema]) => schema['x-codes'])
  return {
    ...operation,
    async run(ctx, input) {
      const answer = await operation.run(ctx, coded.length > 0 ? withCodes(input, coded) : input)
      if (!asksForNames(input) || !reply.schema) return answer
      return withNames(answer, namingOf(reply.schema))
    },
  }
}

function asksForNames({ headers: { prefer } }: Input): boolean {
  return prefer !== undefined && /\bcodes=names\b/.test(String(prefer))
}

function withCodes(input: Input, coded: [string, Schema][]): Input {
  const codes = coded.flatMap(([name, schema]) => {
    const code = schema['x-read']?.(input.query[name])
    return code === undefined ? [] : [[name, String(code)]]
  })
  return codes.length > 0 ? { ...input, query: { ...input.query, ...Object.fromEntries(codes) } } : input
}

/** Answers that are no JSON stay as they are. */
function withNames(answer: Reply, naming: Naming | undefined): Reply {
  const { body, text, stream, bytes, takeOver, headers } = answer
  if (bytes || takeOver || headers?.['content-type']) return answer
  const applied = { ...answer, headers: { ...headers, 'preference-applied': 'codes=names' } }
  if (!naming) return applied
  if (stream) return { ...applied, stream: reopen => namedParts(stream(reopen), naming) }
  if (text !== undefined) return { ...applied, text: JSON.stringify(naming(JSON.parse(text))) }
  return body === undefined ? applied : { ...applied, body: naming(JSON.parse(JSON.stringify(body))) }
}

/** A list is streamed in pieces of one array, each of which ends between two records. */
async function* namedParts(parts: AsyncIterable<string>, naming: Naming): AsyncGenerator<string> {
  for await (const part of parts) {
    const records = naming(recordsIn(part))
    const begin = /^[[,]/.exec(part)?.[0] ?? ''
    yield `${begin}${JSON.stringify(records).slice(1, -1)}${part.endsWith(']') ? ']' : ''}`
  }
}

const namings = new WeakMap<Schema, { naming: Naming | undefined }>()

/** The naming of the values of a schema; undefined if it has no codes. */
function namingOf(schema: Schema): Naming | undefined {
  let known = namings.get(schema)
  if (!known) {
    known = { naming: makeNaming(schema) }
    namings.set(schema, known)
  }
  return known.naming
}

function makeNaming(schema: Schema): Naming | undefined {
  const { 'x-codes': table, properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema
  if (table) return nameIn(table)
  const namings = [...anyOf, ...oneOf, ...allOf].map(namingOf)
  const ofItems = items && namingOf(items)
  if (ofItems) namings.push(value => (Array.isArray(value) ? value.map(ofItems) : value))
  const ofOthers = typeof additionalProperties === 'object' ? namingOf(additionalProperties) : undefined
  const own = new Map(Object.entries(properties).map(([name, each]) => [name, namingOf(each)] as const))
  if (ofOthers || [...own.values()].some(each => each))
    namings.push(value => namedObject(value, name => (own.has(name) ? own.get(name) : ofOthers)))
  const all = namings.filter(each => each !== undefined)
  return all.length > 0 ? value => all.reduce((result, naming) => naming(result), value) : undefined
}

function namedObject(value: unknown, namingAt: (name: string) => Naming | undefined): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, namingAt(name)?.(each) ?? each]))
}

function nameIn({ meanings }: CodeTable): Naming {
  const names = new Map<unknown, string>(meanings.map(({ code, name }) => [code, name]))
  return value => names.get(value) ?? value
}
