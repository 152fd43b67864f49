import { routes } from '../../src/app/routes/routes.ts'
import { allKinds, type Kind } from '../../src/kernel/kinds.ts'
import type { Operation } from '../../src/kernel/operation.ts'
import type { Schema } from '../../src/kernel/schema/shape.ts'

/** One operation of the service, with the facts that follow from its path. */
export interface Op {
  route: string
  method: string
  /** The path after `/api`, with its parameters as `:id`. */
  path: string
  params: string[]
  operation: Operation
  /** The kind of the record, or records, in the answer. */
  entity: string | undefined
  answersList: boolean
}

/** Path parameters that do not name a record. */
const words: Record<string, string> = { emoji: '👍', version: '1', date: '2026-03-31' }

/** Every operation of the service, so that the suites cover a new one automatically. */
export const operations: Op[] = Object.entries(routes).map(([route, operation]) => {
  const [method = '', path = ''] = route.split(' ')
  const answersList = operation.reply.schema?.type === 'array'
  return {
    route,
    method,
    path,
    params: [...path.matchAll(/:(\w+)/g)].map(match => match[1] ?? '').filter(name => !(name in words)),
    operation,
    entity: entityOf(operation.reply.schema),
    answersList,
  }
})

function entityOf(schema: Schema | undefined): string | undefined {
  const record = schema?.type === 'array' ? schema.items : schema
  const entity = record?.properties?.entity?.const
  return typeof entity === 'string' ? entity : undefined
}

const byRoute = new Map(operations.map(each => [each.route, each]))

export function op(route: string): Op | undefined {
  return byRoute.get(route)
}

/** A kind of record at one address, with its standard operations there. */
export interface KindAddress {
  entity: string
  base: string
  /** The name of the path parameter with its id: `id`, `filterId`. */
  idName: string
  resource: Kind
  create: Op
  list?: Op | undefined
  get: Op
  update?: Op | undefined
  updateByBody?: Op | undefined
  remove?: Op | undefined
  restore?: Op | undefined
  history?: Op | undefined
}

/** Every address where records are created and read individually. */
export const kinds: KindAddress[] = operations.flatMap(create => {
  const { path: base, entity, method } = create
  const get = operations.find(
    each => each.method === 'GET' && /^\/:\w+$/.test(each.path.slice(base.length)) && each.path.startsWith(base),
  )
  const resource = allKinds().find(each => each.entity === entity)
  if (method !== 'POST' || !entity || !get || get.entity !== entity || !resource) return []
  const one = get.path
  return [
    {
      entity,
      base,
      idName: one.slice(base.length + 2),
      resource,
      create,
      get,
      list: op(`GET ${base}`),
      update: op(`PUT ${one}`),
      updateByBody: op(`PUT ${base}`),
      remove: op(`DELETE ${one}`),
      restore: op(`POST ${one}/restore`),
      history: op(`GET ${one}/history`),
    },
  ]
})

const longestAddressFirst = kinds.toReversed().toSorted((a, b) => b.base.length - a.base.length)
const byEntity = new Map(longestAddressFirst.map(each => [each.entity, each]))

/** Returns the kind at its shortest address. */
export function kindOf(entity: string): KindAddress | undefined {
  return byEntity.get(entity)
}

const lowerCamel = (entity: string) => entity.charAt(0).toLowerCase() + entity.slice(1)
const byStem = new Map(allKinds().map(({ entity }) => [lowerCamel(entity), entity]))
const nicknames: Record<string, string> = { doc: 'Document', filter: 'ContainerFilter', group: 'UserGroup' }

/** Returns the kind of record that a property or parameter refers to, if its schema or its name says so. */
export function referredBy(name: string, schema: Schema = {}): string | undefined {
  const declared = schema['x-ref'] ?? schema['x-mentions']
  if (typeof declared === 'string') return declared
  if (schema.format) return undefined
  const stem = name.replace(/Ids?$/, '')
  if (stem in nicknames && stem !== name) return nicknames[stem]
  return byStem.get(stem)
}

/** Returns the kind of record that a path parameter of an operation refers to. */
export function namedByParameter({ path }: Op, param: string): string | undefined {
  const one = path.slice(0, path.indexOf(`/:${param}`) + param.length + 2)
  return op(`GET ${one}`)?.entity ?? referredBy(param)
}

export function fill(path: string, params: Record<string, string>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? words[name] ?? ''))
}

/** The path of a possible id in a body: `['Time', 0, 'userId']`. */
export interface Slot {
  path: (string | number)[]
  entity: string
}

/** Lists every path in a body that can refer to a record. */
export function slotsOf(schema: Schema, name = '', path: (string | number)[] = []): Slot[] {
  if (schema.type === 'array' || schema.items) return slotsOf(schema.items ?? {}, name, [...path, 0])
  if (schema.properties) {
    const { properties } = schema
    return Object.entries(properties).flatMap(([property, each]) => {
      // An owner can be of any kind; a container serves as the example.
      if (property === 'ownerId' && ('owner' in properties || 'scope' in properties))
        return [{ path: [...path, property], entity: 'Container' }]
      return slotsOf(each, property, [...path, property])
    })
  }
  const entity = [schema.type].flat().includes('string') ? referredBy(name, schema) : undefined
  return entity && path.length > 0 ? [{ path, entity }] : []
}

/** Returns the value with another value at one path; missing objects and arrays on the path are created. */
export function withAt(value: unknown, path: readonly (string | number)[], content: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return content
  if (typeof step === 'number') {
    const array = Array.isArray(value) ? [...value] : []
    array[step] = withAt(array[step], rest, content)
    return array
  }
  const object: Record<string, unknown> = value !== null && typeof value === 'object' ? { ...value } : {}
  object[step] = withAt(object[step], rest, content)
  return object
}

const repeated = new Set(
  operations.filter(({ path }) => {
    const kind = kinds.find(
      each => path === each.base || (path.startsWith(`${each.base}/`) && path.startsWith(each.get.path)),
    )
    return kind !== undefined && kindOf(kind.entity) !== kind
  }),
)

/** Tells whether the operation reaches the same records as others, at another of their addresses. */
export function isRepeated(op: Op): boolean {
  return repeated.has(op)
}
