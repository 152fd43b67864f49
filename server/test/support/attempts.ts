import type { Builder } from './builder.ts'
import { fill, namedByParameter, type Op, operations, referredBy, slotsOf, withAt } from './operations.ts'
import type { Answer, Person } from './people.ts'

/** One place of one operation into which an id of somebody else is put. */
export interface Attempt {
  op: Op
  /** `path id`, `query createdBy`, `body Time.0.userId`, or nothing where no id goes in at all. */
  slot: string
  /** What stands for something of the other tenant, and what stands for nothing. */
  foreign: () => Promise<string>
  absent: () => string
  /** The request with this in its place; the rest of it is the caller's own. */
  send: (caller: Person, content: string) => Promise<Answer>
}

const randomId = () => crypto.randomUUID()

/** Every operation with every place of it that can name a record. */
export function attemptsOf(ours: Builder, theirs: Builder, ops: readonly Op[] = operations): Attempt[] {
  return ops.flatMap(op => {
    const ask = async (caller: Person, params: Record<string, string>, query = '', body?: unknown) => {
      const own = op.operation.body || op.operation.form ? (body ?? (await ours.bodyOf(op))) : undefined
      const address = { ...op, path: `${op.path}${query}` }
      return await ours.send(address, params, own, { 'if-match': '*' }, caller)
    }
    const attempts: Attempt[] = []
    const add = (slot: string, entity: string, send: Attempt['send']) =>
      attempts.push({ op, slot, foreign: async () => (await theirs.one(entity)).id, absent: randomId, send })

    for (const param of op.params)
      add(`path ${param}`, namedByParameter(op, param) ?? '', async (caller, id) =>
        ask(caller, { ...(await ours.params(op)), [param]: id }),
      )
    if (op.params.length > 1) {
      const named = new Map(op.params.map(param => [param, namedByParameter(op, param) ?? '']))
      add('path, all of it', named.get(op.params.at(-1) ?? '') ?? '', async (caller, id) => {
        const params: Record<string, string> = {}
        const [last] = op.params.slice(-1)
        const isForeign = id === (await theirs.one(named.get(last ?? '') ?? '')).id
        for (const [param, entity] of named)
          params[param] = param === last ? id : isForeign ? (await theirs.one(entity)).id : randomId()
        return await ask(caller, params)
      })
    }
    for (const name of queriesOf(op))
      add(`query ${name}`, referredBy(name) ?? op.entity ?? 'Container', async (caller, id) =>
        // Nobody destroys what is their own on the way.
        ask(
          caller,
          op.method === 'DELETE'
            ? { ...(await ours.params(op)), ...(await freshParams(ours, op)) }
            : await ours.params(op),
          `?${name}=${name === 'after' ? `1-${id}` : id}`,
        ),
      )
    const schema = op.operation.body?.schema
    if (schema) {
      const slots = slotsOf(schema)
      if (op.entity && op.method !== 'GET') slots.push({ path: ['id'], entity: op.entity })
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
    for (const { path, foreign, absent } of otherNames(op, theirs))
      attempts.push({
        op,
        slot: `body ${path.join('.')} by another name`,
        foreign,
        absent,
        send: async (caller, name) => ask(caller, await ours.params(op), '', withAt(await ours.bodyOf(op), path, name)),
      })
    if (attempts.length === 0 || op.answersList)
      attempts.push({
        op,
        slot: '',
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

/** Parameters that filter by an id, and those that the operation declares without saying what they take. */
function queriesOf({ operation, method, answersList, entity, path }: Op): string[] {
  const declared = Object.entries(operation.query ?? {})
    .filter(([, schema]) => schema.type === 'string' && !schema.enum && !schema.format)
    .map(([name]) => name)
    .filter(name => !['sort', 'fields', 'cursor', 'types'].includes(name))
  if (method !== 'GET' || !answersList || !entity || path.endsWith('/history')) return declared
  const record = operation.reply.schema?.items?.properties ?? {}
  const references = Object.entries(record)
    .filter(([name, schema]) => referredBy(name, schema.items ?? schema) !== undefined || name === 'ownerId')
    .map(([name]) => name)
  return [...new Set([...declared, 'id', 'createdBy', 'updatedBy', ...references])].filter(name => name !== 'Field')
}

/** Records that are known by something else than their id. */
function otherNames(
  op: Op,
  theirs: Builder,
): { path: (string | number)[]; foreign: () => Promise<string>; absent: () => string }[] {
  if (op.entity !== 'Item' || !op.operation.body || op.operation.body.schema.type === 'array') return []
  const of = (entity: string, property: string) => async () => (await theirs.one(entity))[property]
  return [
    { path: ['Field', 0, 'fieldId'], foreign: of('Field', 'key'), absent: () => `nothing${randomId()}` },
    { path: ['Field', 0, 'fieldId'], foreign: of('Field', 'name'), absent: () => `nothing${randomId()}` },
    { path: ['Time', 0], foreign: of('User', 'email'), absent: () => `${randomId()}@example.com` },
    { path: ['Time', 0, 'nonBillable'], foreign: of('NonBillable', 'code'), absent: () => `nothing${randomId()}` },
  ]
}

/** The answer without what must differ between any two: ids, moments, counters, and what was sent. */
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
    .replace(/gty_\w+/g, '<secret>')
    .replace(/"[\w-]{20,}"/g, '"<digest>"')
    .replace(/\d+/g, '#')
  return `${status} ${names.join(' ')} ${text}`
}
