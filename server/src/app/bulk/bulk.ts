import { demandOperation } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Input, type Operation, operation, type Reply, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid, Refusal } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { MalformedLine } from '../../platform/requests/json.ts'
import { attemptEach, problemOf, refuseAll } from '../../records/input/attempt-each.ts'
import { type Area, ofMembers, versionOf } from './bulk-area.ts'
import { changeMany, removeMany } from './change-many.ts'

const areas: readonly Area[] = [
  { path: '/user', entity: 'User', many: 'users' },
  { path: '/label', entity: 'Label', many: 'labels', example: { name: 'hardware' } },
  { path: '/container', entity: 'Container', many: 'containers', example: { name: 'Move to Lisbon' } },
  { path: '/link', entity: 'Link', many: 'links' },
  { path: '/annotation', entity: 'Annotation', many: 'annotations' },
]

/** Each row is written by itself, which takes some statements. */
const maxRows = 500

/** What became of a row that was not refused. */
interface Written {
  outcome: 'created' | 'updated' | 'unchanged'
  status: number
  reply: Reply
}

const rowOutcomeSchema: Schema = {
  type: 'object',
  title: 'BulkRecordOutcome',
  properties: {
    index: { type: 'integer' },
    id: { type: 'string' },
    outcome: { type: 'string', enum: ['created', 'updated', 'unchanged', 'failed'] },
    status: { type: 'integer', description: 'The HTTP status that the row alone would have.' },
    version: { type: 'integer' },
    code: { type: 'string' },
    detail: { type: 'string' },
    Fields: { type: 'array', items: { type: 'object' } },
    warnings: { type: 'array', items: { type: 'string' } },
  },
  required: ['index', 'outcome', 'status'],
}

/** Adds the operations that write many records of a kind. */
export function withBulk(routes: Routes): Routes {
  const added = areas.flatMap(area => [
    [`POST ${area.path}/bulk`, bulk(routes, area)],
    [`PATCH ${area.path}`, changeMany(area, operationAt(routes, `PATCH ${area.path}/:id`))],
    [`DELETE ${area.path}`, removeMany(area, operationAt(routes, `DELETE ${area.path}/:id`))],
  ])
  return { ...routes, ...Object.fromEntries(added) }
}

function bulk(routes: Routes, { path, entity, many, example }: Area): Operation {
  const creation = operationAt(routes, `POST ${path}`)
  const update = operationAt(routes, `PUT ${path}`)
  return operation<unknown[]>({
    permission: ofMembers(creation.permission),
    ...(creation.placed ? { placed: true } : {}),
    mode: 'write',
    summary: `Create or update many ${many}`,
    description: `The body is an array of ${many}, or one per line as \`application/x-ndjson\`, at most ${maxRows}. In their order, a row without an \`id\` is created as by \`POST /api${path}\`, and one with the \`id\` of a record updates it as by \`PUT /api${path}\`, with the same rights and checks; ${takesIds(creation) ? 'an `id` that no record has is that of the new record' : 'an unknown `id` is 404'}. A row that is refused stops no other; with \`atomic\` it refuses all (422 \`entries-refused\`, whose \`Fields\` begin with the index of the row). All changes form one change set.`,
    query: { atomic: { type: 'boolean', description: 'Writes all rows, or none if one is refused.' } },
    body: {
      schema: { type: 'array', items: rowSchema(creation), maxItems: maxRows },
      read: readRows,
      example: [creation.body?.example ?? example],
      lines: true,
    },
    reply: {
      status: 200,
      schema: { type: 'array', items: rowOutcomeSchema },
      description: 'The outcome of each row, in the order of the rows.',
    },
    refusals: [413, 422],
    async run(ctx, input) {
      const attempts = await attemptEach(ctx, input.body, row => write(ctx, row, input))
      const results = attempts.map((each, index) => ({
        index,
        ...(each.refusal ? problemOf(each.refusal) : shown(each.value)),
      }))
      if (input.query.atomic === 'true') refuseAll(attempts, index => [index], results)
      return { body: results }
    },
  })

  async function write(ctx: Context, row: unknown, input: Input): Promise<Written> {
    if (row instanceof MalformedLine) throw new Refusal(400, 'malformed-json', row.message)
    const id = idIn(row)
    const before = id === undefined ? undefined : await versionOf(ctx, entity, id)
    const isNew = id === undefined || (before === undefined && takesIds(creation))
    const one = isNew ? creation : update
    demandOperation(ctx.caller, one)
    const reply = await one.run(ctx, {
      path: `/api${path}`,
      params: {},
      query: {},
      body: one.body?.read(row, { strict: ctx.strict }),
      raw: row,
      expect: undefined,
      headers: input.headers,
    })
    const status = reply.status ?? one.reply.status
    // A link that exists is not created again, which is no refusal.
    if (isNew) return { outcome: status === 201 ? 'created' : 'unchanged', status, reply }
    return { outcome: reply.version === before ? 'unchanged' : 'updated', status, reply }
  }
}

function operationAt(routes: Routes, route: string): Operation {
  const found = routes[route]
  if (!found) throw new Error(`there is no operation ${route}`)
  return found
}

/** Whether new records may have an id that the client has made. */
const takesIds = ({ body }: Operation) => body?.schema.properties?.id !== undefined

/** An update requires less than a creation, so that a row requires nothing by its schema. */
function rowSchema({ body }: Operation): Schema {
  const { required: _ofCreation, ...schema } = body?.schema ?? {}
  return { ...schema, properties: { id: { type: 'string', nullable: true }, ...schema.properties } }
}

function readRows(body: unknown): unknown[] {
  if (!Array.isArray(body)) throw new Invalid([fault([], 'type', 'must be an array of records')])
  if (body.length > maxRows) throw new Refusal(413, 'too-large', `a call may contain at most ${maxRows} rows`)
  return body
}

/** The id that a row names; `''` and `null` are none. */
function idIn(row: unknown): unknown {
  if (row === null || typeof row !== 'object') return undefined
  const id: unknown = Object.entries(row).find(([property]) => property.toLowerCase() === 'id')?.[1]
  return id === '' || id === null ? undefined : id
}

/** The part of an outcome that is about the written record. */
function shown({ outcome, status, reply: { body, version } }: Written): object {
  const { id, warnings }: { id?: unknown; warnings?: unknown } = body !== null && typeof body === 'object' ? body : {}
  return { outcome, status, id, version, ...(Array.isArray(warnings) && warnings.length > 0 ? { warnings } : {}) }
}
