import { kindNamed } from '../../../src/kernel/kinds.ts'
import type { Answer } from '../answer.ts'
import type { Builder } from '../builder.ts'
import { kinds, namedByParameter, type Op, operations, referredBy, slotsOf, withAt } from '../operations.ts'
import type { Person } from '../people.ts'

/** One place in one operation into which a foreign id is put. */
export interface Attempt {
  op: Op
  /** `path id`, `query createdBy`, `body Time.0.userId`, or empty if the operation takes no id. */
  slot: string
  /** The place is a filter by a property, which all lists apply in the same way. */
  isFilter: boolean
  /** A value that names a record of the other tenant, and one that names no record. */
  foreign: () => Promise<string>
  absent: () => string
  /** Builds the request with this value in the place; all other values are the caller's own. */
  send: (caller: Person, content: string) => Promise<Answer>
}

const randomId = () => crypto.randomUUID()

/** The operations that a record, or a person, admits once until another one undoes it. They are tried as dry runs. */
const oncePerState = /^POST \/time\/(timer\/start|sheet\/:id\/(submit|recall|approve|reject|reopen))$/

/** Lists every operation with every place in it that can name a record. */
export function attemptsOf(ours: Builder, theirs: Builder, ops: readonly Op[] = operations): Attempt[] {
  return ops.flatMap(op => {
    const ask = async (caller: Person, params: Record<string, string>, query = '', body?: unknown) => {
      const own = op.operation.body || op.operation.form ? (body ?? (await ours.bodyOf(op))) : undefined
      const address = { ...op, path: oncePerState.test(op.route) ? `${op.path}?dryRun=true` : `${op.path}${query}` }
      return await ours.send(address, params, own, { 'if-match': '*' }, caller)
    }
    const attempts: Attempt[] = []
    const add = (slot: string, entity: string, send: Attempt['send'], isFilter = false) =>
      attempts.push({
        op,
        slot,
        isFilter,
        foreign: async () => (await theirs.rich(entity)).id,
        absent: randomId,
        send,
      })

    for (const param of op.params) {
      if (op.path === '/meta/entity/:name') continue // kinds have the same names in every tenant
      const send: Attempt['send'] = async (caller, id) => ask(caller, { ...(await ours.params(op)), [param]: id })
      const base = param === ours.kindAt(op)?.idName ? ours.kindAt(op)?.base : undefined
      const entity = namedByParameter(op, param) ?? ''
      const foreign = async () => (await theirs.named(op, param)) ?? (await theirs.rich(entity, base)).id
      attempts.push({ op, slot: `path ${param}`, isFilter: false, foreign, absent: randomId, send })
    }
    if (op.params.length > 1)
      attempts.push({
        op,
        slot: 'path, all of it',
        isFilter: false,
        foreign: async () => JSON.stringify(await theirs.params(op)),
        absent: () => JSON.stringify(Object.fromEntries(op.params.map(param => [param, randomId()]))),
        send: (caller, params) => ask(caller, JSON.parse(params)),
      })
    for (const name of queriesOf(op))
      add(
        `query ${name}`,
        referredBy(name) ?? op.entity ?? 'Container',
        // The caller's own records must not be destroyed by the attempt.
        async (caller, id) =>
          ask(
            caller,
            op.method === 'DELETE'
              ? { ...(await ours.params(op)), ...(await freshParams(ours, op)) }
              : await ours.params(op),
            `?${name}=${name === 'after' ? `1-${id}` : id}`,
          ),
        !(name in (op.operation.query ?? {})) && kinds.some(kind => kind.list === op),
      )
    const schema = op.operation.body?.schema
    if (schema) {
      const slots = slotsOf(schema)
      // An id that clients make for a new record names nothing that exists.
      const makesId = op.method === 'POST' && 'id' in (schema.properties ?? {})
      if (op.entity && op.method !== 'GET' && !makesId) slots.push({ path: ['id'], entity: op.entity })
      for (const { path, entity } of slots)
        add(`body ${path.join('.')}`, entity, async (caller, id) => {
          const own = {
            ...(await ours.bodyOf(op)),
            ...(op.method === 'PUT' && op.entity && !op.params.length ? { id: (await ours.one(op.entity)).id } : {}),
          }
          const body = schema.type === 'array' ? await ours.bodyOf(op) : own
          return await ask(caller, await ours.params(op), '', withAt(body, path, id))
        })
    }
    if (itemKey.test(op.route))
      attempts.push({
        op,
        slot: 'path id by its key',
        isFilter: false,
        foreign: async () => (await theirs.rich('Item')).key,
        absent: () => 'CFFFFFFFF-99',
        send: (caller, id) => ask(caller, { id }),
      })
    for (const { path, foreign, absent, placed } of otherNames(op, ours, theirs))
      attempts.push({
        op,
        slot: `body ${path.join('.')} by another name`,
        isFilter: false,
        foreign,
        absent,
        send: async (caller, name) =>
          ask(caller, await ours.params(op), '', withAt(await ours.bodyOf(op), path, await (placed?.(name) ?? name))),
      })
    if (attempts.length === 0 || op.answersList)
      attempts.push({
        op,
        slot: '',
        isFilter: false,
        foreign: async () => '',
        absent: () => '',
        send: async caller => ask(caller, await ours.params(op)),
      })
    return attempts
  })
}

async function freshParams(ours: Builder, op: Op): Promise<Record<string, string>> {
  const kind = ours.kindAt(op)
  return kind ? { [kind.idName]: (await ours.make(kind, { all: false })).record.id } : {}
}

/** The parameters that filter by an id, and those that the operation declares without a type. */
function queriesOf({ operation, method, answersList, entity, path }: Op): string[] {
  const declared = Object.entries(operation.query ?? {})
    .filter(([, schema]) => schema.type === 'string' && !schema.enum && !schema.format)
    .map(([name]) => name)
    .filter(name => !['sort', 'fields', 'cursor', 'types', 'property'].includes(name))
  if (method !== 'GET' || !answersList || !entity || path.endsWith('/history')) return declared
  const record = operation.reply.schema?.items?.properties ?? {}
  const references = Object.entries(record)
    .filter(([name, schema]) => referredBy(name, schema.items ?? schema) !== undefined || name === 'ownerId')
    .map(([name]) => name)
    .filter(name => !isFreeText(entity, name))
  return [...new Set([...declared, 'id', 'createdBy', 'updatedBy', ...references])].filter(name => name !== 'Field')
}

/** A tenant may store any text, also an id of another tenant, and a filter finds what an earlier attempt has stored so. */
function isFreeText(entity: string, name: string): boolean {
  const property = kindNamed(entity)?.createSchema.properties?.[name]
  const value = property?.items ?? property
  return value?.type === 'string' && !value['x-ref'] && !value['x-mentions'] && name !== 'ownerId'
}

interface OtherName {
  path: (string | number)[]
  foreign: () => Promise<string>
  absent: () => string
  placed?: (name: string) => unknown
}

/** Items can also be addressed by their keys. */
const itemKey = /^GET \/item\/:id$/

/** The records that are addressed by something else than their id. */
function otherNames(op: Op, ours: Builder, theirs: Builder): OtherName[] {
  if (op.entity !== 'Item' || !op.operation.body || op.operation.body.schema.type === 'array') return []
  const of = (entity: string, property: string) => async () => (await theirs.rich(entity))[property]
  const nothing = () => `nothing${randomId()}`
  return [
    { path: ['Field', 0, 'fieldId'], foreign: of('Field', 'key'), absent: nothing },
    { path: ['Field', 0, 'fieldId'], foreign: of('Field', 'name'), absent: nothing },
    { path: ['Time', 0, 'nonBillable'], foreign: of('NonBillable', 'code'), absent: nothing },
    {
      path: ['Time', 0],
      foreign: of('User', 'email'),
      absent: () => `${randomId()}@example.com`,
      placed: email => ({ email, minutes: 5 }),
    },
    {
      path: ['Field', 0],
      foreign: of('User', 'id'),
      absent: randomId,
      placed: async value => ({ fieldId: (await ours.rich('Field', '/field/user')).id, value }),
    },
  ]
}

/** Removes from the answer what always differs: ids, times, counters, and echoes of the request. */
export function essence({ status, body, headers }: Answer, sent: string): string {
  const names = [...headers.keys()].filter(name => !/^(content-length|date)$/.test(name)).sort()
  const {
    traceId: _,
    instance: __,
    ...rest
  } = body !== null && typeof body === 'object' && !Array.isArray(body) ? body : { body }
  const text = JSON.stringify(rest)
    .replaceAll(sent === '' ? '\u0001' : sent, '<sent>')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<id>')
    .replace(/(ours|theirs)[0-9a-f]{8}n\d+/gi, '<text>')
    .replace(/C[0-9A-F]{8}(-\d+)?/g, '<key>')
    .replace(/"(prefix|last4|RawKey|RawSecret|clientId|secretLast4|secret|sha256|rank|drill)":"[^"]*"/g, '<secret>')
    .replace(/"next":"[^"]*"/g, '<cursor>') // it depends on the query, and therefore on the request
    .replace(/\d+/g, '#')
  return `${status} ${names.join(' ')} ${text}`
}
