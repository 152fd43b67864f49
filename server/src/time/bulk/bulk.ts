import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid, NotFound, Refusal } from '../../kernel/refusal.ts'
import { type ReadOptions, reader, type Schema } from '../../kernel/schema/shape.ts'
import { Refs } from '../../kernel/schema/values.ts'
import { attemptEach, problemOf, refuseAll } from '../../records/input/attempt-each.ts'
import { readPatchBody } from '../../records/input/patch-body.ts'
import { holdPeriods, type TimePlace } from '../closed/closed.ts'
import { changeTime, createTime, removeTime, type TimeBody } from '../entry/entry.ts'
import { changing, creatingOne } from '../entry/entry-routes.ts'
import { times } from '../time.ts'

/** Each entry is judged by itself, which takes some statements. */
const maxEntries = 500
/** The ids are in the address. */
const maxDeleted = 200

const atomicText = 'With `atomic` one refusal refuses all (422 `entries-refused`).'
const oneChangeSet = 'The reply has the outcome of each, and all changes form one change set.'

function outcomes(title: string, names: readonly string[], more: Record<string, Schema>): Schema {
  const properties = {
    ...more,
    id: { type: 'string' },
    outcome: { type: 'string', enum: [...names, 'failed'] },
    status: { type: 'integer' },
    version: { type: 'integer' },
    code: { type: 'string' },
    detail: { type: 'string' },
    Fields: { type: 'array', items: { type: 'object' } },
    warnings: { type: 'array', items: { type: 'string' } },
  }
  const required = [...Object.keys(more), ...('index' in more ? [] : ['id']), 'outcome', 'status']
  return { type: 'array', items: { type: 'object', title, properties, required } }
}

function readerOf({ body }: Operation): (entry: unknown, options: ReadOptions) => TimeBody {
  if (!body) throw new Error('the operation on one entry has a body')
  return (entry, options) => body.read(entry, options) as TimeBody // the reader is made of the schema of the entry
}

const readNew = readerOf(creatingOne)
const readPatch = readerOf(changing)

const bulkCreate = operation<unknown[]>({
  permission: creatingOne.permission,
  mode: 'write',
  summary: 'Create many Times',
  description: `The body is an array of entries, or one entry per line as \`application/x-ndjson\`, at most ${maxEntries}. Each is booked or refused by itself, in their order. ${atomicText} ${oneChangeSet}`,
  query: { atomic: { type: 'boolean', description: 'Books all entries, or none if one is refused.' } },
  body: {
    schema: { type: 'array', items: creatingOne.body?.schema ?? {}, maxItems: maxEntries },
    read: readRows,
    example: [{ ...times.example }],
    lines: true,
  },
  reply: {
    status: 200,
    schema: outcomes('BulkTimeOutcome', ['created'], { index: { type: 'integer' }, externalId: { type: 'string' } }),
    description: 'The outcome of each entry, in the order of the entries.',
  },
  refusals: [413, 422],
  async run(ctx, { body: rows, query }) {
    const attempts = await attemptEach(
      ctx,
      rows,
      async row => await createTime(ctx, readNew(row, { strict: ctx.strict })),
    )
    const results = attempts.map((each, index) => ({
      index,
      externalId: externalIdIn(rows[index]),
      ...(each.refusal ? problemOf(each.refusal) : { outcome: 'created', status: 201, ...written(each.value) }),
    }))
    if (query.atomic === 'true') refuseAll(attempts, index => [index], results)
    return { body: results }
  },
})

function readRows(body: unknown): unknown[] {
  if (!Array.isArray(body)) throw new Invalid([fault([], 'type', 'must be an array of entries')])
  if (body.length > maxEntries) throw new Refusal(413, 'too-large', `a call may contain at most ${maxEntries} entries`)
  return body
}

function externalIdIn(row: unknown): string {
  const id: unknown = row !== null && typeof row === 'object' ? Reflect.get(row, 'externalId') : ''
  return typeof id === 'string' ? id : ''
}

interface Envelope {
  ids: Id[]
  atomic?: boolean
}

interface BulkPatch extends Envelope {
  patch: TimeBody
}

const patchSchema: Schema = {
  type: 'object',
  properties: {
    ids: { ...Refs('Time', maxEntries), minItems: 1 },
    atomic: Type.Boolean({ description: 'Changes all entries, or none if one is refused.' }),
    patch: changing.body?.schema ?? {},
  },
  required: ['ids', 'patch'],
  additionalProperties: false,
}

const readEnvelope = reader<Envelope & { patch: unknown }>({
  ...patchSchema,
  properties: { ...patchSchema.properties, patch: { type: 'object' } },
})

/** The patch is read like the body of a single change, which ignores what the service sets. */
function readBulkPatch(body: unknown, options: ReadOptions = {}): BulkPatch {
  return readPatchBody(
    body,
    each => readEnvelope(each, options),
    patch => readPatch(patch, options),
  )
}

const bulkChange = operation<BulkPatch>({
  permission: changing.permission,
  mode: 'write',
  summary: 'Change many Times',
  description: `Applies \`patch\` to the entries in \`ids\`, at most ${maxEntries}, as a change of each would do it; one that is refused stops no other. ${atomicText} ${oneChangeSet}`,
  body: {
    schema: patchSchema,
    read: readBulkPatch,
    example: { ids: ['01890000-0000-7000-8000-000000000000'], patch: { note: 'Support' } },
  },
  reply: {
    status: 200,
    schema: outcomes('BulkTimeChange', ['updated', 'unchanged'], {}),
    description: 'The outcome of each entry, in the order of the ids.',
  },
  refusals: [413, 422],
  async run(ctx, { body: { ids, patch, atomic = false } }) {
    const change = async (id: Id) => {
      const before = await times.get(ctx, id)
      const entry = await changeTime(ctx, id, patch, {})
      const outcome = entry.version === before.version ? 'unchanged' : 'updated'
      return { outcome, status: 200, ...written(entry) }
    }
    return { body: await eachOf(ctx, distinct(ids), change, atomic, 'ids') }
  },
})

const bulkRemove = operation({
  permission: times.permissions.delete,
  mode: 'write',
  summary: 'Delete many Times',
  description: `Deletes the entries in \`ids\`, separated by commas, at most ${maxDeleted}; one that is refused stops no other. ${atomicText} ${oneChangeSet}`,
  query: {
    ids: { type: 'string', 'x-required': true, description: 'The ids of the entries, separated by commas.' },
    atomic: { type: 'boolean', description: 'Deletes all entries, or none if one is refused.' },
  },
  reply: {
    status: 200,
    schema: outcomes('BulkTimeDeletion', ['deleted'], {}),
    description: 'The outcome of each entry, in the order of the ids.',
  },
  refusals: [413, 422],
  async run(ctx, { query }) {
    const ids = distinct(String(query.ids ?? '').split(','))
    if (ids.length === 0) throw new Invalid([fault(['ids'], 'required', 'is required')])
    if (ids.length > maxDeleted) throw new Refusal(413, 'too-large', `a call may name at most ${maxDeleted} entries`)
    const remove = async (id: Id) => {
      const { version } = await removeTime(ctx, id, {})
      return { outcome: 'deleted', status: 200, version }
    }
    return { body: await eachOf(ctx, ids, remove, query.atomic === 'true', 'ids') }
  },
})

/** Writes entries in the order of their ids, so that two requests wait for each other instead of failing. */
async function eachOf(
  ctx: Context,
  ids: readonly Id[],
  write: (id: Id) => Promise<object>,
  atomic: boolean,
  property: string,
): Promise<object[]> {
  await holdPeriods(ctx, await placesOf(ctx, ids))
  const sorted = ids.toSorted()
  const attempts = await attemptEach(ctx, sorted, async id => {
    if (!isId(id)) throw new NotFound()
    return await write(id)
  })
  const byId = new Map(sorted.map((id, i) => [id, attempts[i]]))
  const ordered = ids.flatMap(id => byId.get(id) ?? [])
  const results = ids.map((id, i) => {
    const attempt = ordered[i]
    return { id, ...(attempt?.refusal ? problemOf(attempt.refusal) : attempt?.value) }
  })
  if (atomic) refuseAll(ordered, index => [property, index], results)
  return results
}

async function placesOf(ctx: Context, ids: readonly Id[]): Promise<TimePlace[]> {
  return await ctx.sql<
    TimePlace & { date: string }
  >`select user_id as "userId", date::text as date, coalesce(container_id::text, '') as "containerId" from time
    where tenant_id = ${ctx.caller.tenantId} and id = any(${ids.filter(isId)}::uuid[]) and not deleted`
}

const distinct = (ids: readonly string[]) =>
  [...new Set(ids.map(each => each.trim().toLowerCase()))].filter(each => each !== '')

function written({ id, version, warnings }: { id: Id; version: number; warnings?: string[] }): object {
  return { id, version, ...(warnings ? { warnings } : {}) }
}

export const routes: Routes = {
  'POST /time/bulk': bulkCreate,
  'PATCH /time': bulkChange,
  'DELETE /time': bulkRemove,
}
