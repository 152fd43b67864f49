import { routes } from '../../src/app.ts'
import { allKinds, type Kind } from '../../src/kernel/kinds.ts'
import type { Operation } from '../../src/kernel/operation.ts'
import type { Schema } from '../../src/kernel/schema/shape.ts'

/** One operation of the service with what its address tells. */
export interface Op {
  route: string
  method: string
  /** Behind `/api`, with its parameters as `:id`. */
  path: string
  params: string[]
  operation: Operation
  /** The kind of record it answers with, one or many. */
  entity: string | undefined
  answersList: boolean
}

/** Path parameters that name no record. */
const words: Record<string, string> = { emoji: '👍' }

/** Every operation there is, found in the table of contents: a new one is covered by being there. */
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

export function op(route: string): Op | undefined {
  return operations.find(each => each.route === route)
}

/** A kind of record at one address, with the stock operations that it has there. */
export interface KindAddress {
  entity: string
  base: string
  /** What the path calls its id: `id`, `filterId`. */
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

/** Every address where records are made and read one by one. */
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

/** The kind at its plainest address. */
export function kindOf(entity: string): KindAddress | undefined {
  return kinds.filter(each => each.entity === entity).sort((a, b) => a.base.length - b.base.length)[0]
}

const lowerCamel = (entity: string) => entity.charAt(0).toLowerCase() + entity.slice(1)
const nicknames: Record<string, string> = { doc: 'Document', filter: 'ContainerFilter', group: 'UserGroup' }

/** Which kind of record a property or parameter names, if its schema or its name tells. */
export function referredBy(name: string, schema: Schema = {}): string | undefined {
  const declared = schema['x-ref'] ?? schema['x-mentions']
  if (typeof declared === 'string') return declared
  if (schema.format) return undefined
  const stem = name.replace(/Ids?$/, '')
  if (stem in nicknames && stem !== name) return nicknames[stem]
  return allKinds().find(each => lowerCamel(each.entity) === stem)?.entity
}

/** Which kind of record the path parameter of an operation names. */
export function namedByParameter({ path }: Op, param: string): string | undefined {
  const one = path.slice(0, path.indexOf(`/:${param}`) + param.length + 2)
  return op(`GET ${one}`)?.entity ?? referredBy(param)
}

export function fill(path: string, params: Record<string, string>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? words[name] ?? ''))
}

/** A place in a body where an id may stand: `['Time', 0, 'userId']`. */
export interface Slot {
  path: (string | number)[]
  entity: string
}

/** Every place of a body that can name a record. */
export function slotsOf(schema: Schema, name = '', path: (string | number)[] = []): Slot[] {
  if (schema.type === 'array' || schema.items) return slotsOf(schema.items ?? {}, name, [...path, 0])
  if (schema.properties) {
    const { properties } = schema
    return Object.entries(properties).flatMap(([property, each]) => {
      // An owner is of any kind; a container is as good as another.
      if (property === 'ownerId' && ('owner' in properties || 'scope' in properties))
        return [{ path: [...path, property], entity: 'Container' }]
      return slotsOf(each, property, [...path, property])
    })
  }
  const entity = [schema.type].flat().includes('string') ? referredBy(name, schema) : undefined
  return entity && path.length > 0 ? [{ path, entity }] : []
}

/** The value with something else at one place; objects and arrays on the way are made where they are missing. */
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
