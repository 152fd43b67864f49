import type { TProperties } from 'typebox'
import type { Context } from './context.ts'
import { eventJson } from './events.ts'
import { isId } from './id.ts'
import type { Kind } from './kinds.ts'
import { type Listing, readListing } from './listing.ts'
import { type Input, type Operation, operation, type Reply } from './operation.ts'
import { countRows, estimateRows, type Page, readPage, streamList } from './page.ts'
import { type Common, type Expect, findingsSchema, type Stored, type Values } from './record.ts'
import { fault, Invalid, NotFound, RuleBroken } from './refusal.ts'
import type { Resource } from './resource.ts'
import type { Schema } from './shape.ts'
import { name, nothing, raw, type Sql, sql } from './sql.ts'

// The usual operations over a kind of record. Each is a value that a room puts into its route table, as it is or with a
// body of the room's own.

const listQuery: Record<string, Schema> = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    description: 'Turns paging on: at most so many records. Without it the list holds all.',
  },
  cursor: { type: 'string', description: 'Where the last page ended, from `X-Next-Cursor` or `Link`.' },
  sort: { type: 'string', description: 'Properties to sort by, `-` before one for descending: `-updated,name`.' },
  fields: { type: 'string', description: 'Only these properties, besides `id` and `entity`: `name,active`.' },
  deleted: { type: 'string', enum: ['include', 'only'], description: 'Show deleted records too, or only them.' },
  count: {
    type: 'string',
    enum: ['exact', 'estimate'],
    description: 'Adds `X-Total-Count`; an estimate beyond a thousand, if that is enough.',
  },
  updatedAfter: { type: 'string', format: 'date-time', description: 'Only what changed after this moment.' },
}

export const archivedQuery: Schema = {
  type: 'string',
  enum: ['include', 'only', 'true', 'false'],
  description: 'Show archived records too (`include`), or only them.',
}

/** All records of the tenant that the caller may see; any scalar property filters: `?active=true`, `?updated[gte]=…`. */
export function list(
  kind: Kind,
  more: { where?: (ctx: Context, input: Input) => Sql | Promise<Sql>; params?: readonly string[] } = {},
): Operation {
  return {
    permission: kind.permissions.read,
    placed: kind.placed,
    mode: 'read',
    summary: `List ${plural(kind.entity)}`,
    description: `${kind.about} Answers all records as one array; \`limit\` turns paging on. Any scalar property filters by its name.`,
    query: kind.archives ? { ...listQuery, archived: archivedQuery } : listQuery,
    reply: {
      status: 200,
      schema: { type: 'array', items: kind.schema },
      description: 'The records, oldest first unless sorted otherwise.',
    },
    async run(ctx, input) {
      const where = await more.where?.(ctx, input)
      const listing = readListing(ctx, kind, input.query, where ? { where } : {})
      return await answerList(ctx, listing, input)
    },
  }
}

/** A page if one was asked for, else everything, streamed. */
export async function answerList(ctx: Context, listing: Listing, input: Input): Promise<Reply> {
  const headers: Record<string, string> = {}
  if (listing.count) {
    const { count, kind } =
      listing.count === 'estimate'
        ? await estimateRows(ctx, listing)
        : { count: await countRows(ctx, listing), kind: 'exact' }
    headers['x-total-count'] = String(count)
    headers['x-total-count-kind'] = kind
  }
  const read = async (inner: Context, size: number, after: unknown[] | undefined) =>
    await told(inner, listing, await readPage(inner, listing, size, after))
  if (listing.limit === undefined) {
    await refuseTooMany(ctx, listing)
    return {
      headers,
      stream: reopen => streamList(listing, (after, size) => reopen(inner => read(inner, size, after))),
    }
  }
  const page = await read(ctx, listing.limit, listing.after)
  headers['x-limit'] = String(listing.limit)
  if (page.next) {
    headers['x-next-cursor'] = page.next
    const next = new URLSearchParams(
      Object.entries(input.query).map(([key, value]): [string, string] => [key, String(value)]),
    )
    next.set('cursor', page.next)
    headers.link = `<${input.path}?${next}>; rel="next"`
  }
  return { headers, text: `[${page.text}]` }
}

/** Never cut short in silence: whoever would get more is told to page. */
async function refuseTooMany(ctx: Context, listing: Listing): Promise<void> {
  const max = await ctx.services.maxUnpaged(ctx)
  if (max === 0 || (await countRows(ctx, listing)) <= max) return
  throw new RuleBroken('too-many-records', `there are more than ${max} records: page through them with limit`)
}

/** Kinds that engines act on tell in `check` what of a record is inert; a part of a record tells nothing. */
async function told(ctx: Context, { resource, only }: Listing, page: Page): Promise<Page> {
  const { findings } = resource
  if (!findings || only || page.text === '') return page
  const records: Common[] = JSON.parse(`[${page.text}]`)
  const texts: string[] = []
  for (const record of records) texts.push(JSON.stringify(await withCheck(ctx, record, findings)))
  return { ...page, text: texts.join(',') }
}

export async function withCheck<R extends Common>(ctx: Context, record: R, findings: Kind['findings']): Promise<R> {
  if (!findings) return record
  return { ...record, check: await findings(record, ctx) }
}

export function get(kind: Kind): Operation {
  const t = raw('t')
  return {
    permission: kind.permissions.read,
    placed: kind.placed,
    mode: 'read',
    summary: `Get one ${kind.entity}`,
    description: `${kind.about} Another tenant's id and an id that never was answer alike: 404.`,
    query: { deleted: listQuery.deleted ?? {} },
    reply: { status: 200, schema: kind.schema, description: 'The record.' },
    refusals: [404],
    async run(ctx, { params, query }) {
      const id = params.id ?? ''
      if (!isId(id)) throw new NotFound()
      const [row] = await ctx.sql<{
        json: string
        version: number
      }>`select ${await kind.jsonFor(ctx, t)} as json, t.version from ${name(kind.table)} t
        where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id} ${query.deleted === 'include' ? raw('') : raw('and not t.deleted')} and ${kind.visible(ctx.caller, t)}`
      if (!row) throw new NotFound()
      if (kind.findings)
        return { body: await withCheck(ctx, JSON.parse(row.json), kind.findings), version: row.version }
      return { text: row.json, version: row.version }
    },
  }
}

type Made<P extends TProperties> = (
  ctx: Context,
  values: Partial<Values<P>>,
  input: Input<Partial<Values<P>>>,
) => Promise<Stored<P>>

export function create<P extends TProperties>(kind: Resource<P>, own?: Made<P>): Operation {
  return operation<Partial<Values<P>>>({
    permission: kind.permissions.create,
    placed: kind.placed,
    mode: 'write',
    summary: `Create a ${kind.entity}`,
    description: `${kind.about} Whatever is left out has a plain default.`,
    body: { schema: kind.createSchema, read: kind.readCreate, example: kind.example ?? exampleOf(kind.createSchema) },
    reply: { status: 201, schema: kind.schema, description: 'The created record.' },
    refusals: [422],
    async run(ctx, input) {
      const record = await (own ?? kind.create)(ctx, input.body, input as never)
      return {
        body: await withCheck(ctx, record, kind.findings),
        version: record.version,
        headers: { location: `${input.path}/${record.id}` },
      }
    },
  })
}

type Changed<P extends TProperties> = (
  ctx: Context,
  id: string,
  values: Partial<Values<P>>,
  more: { expect?: Expect },
  input: Input<Partial<Values<P>>>,
) => Promise<Stored<P>>

/** The id stands in the path or in the body; in both, they must agree. */
export function update<P extends TProperties>(kind: Resource<P>, own?: Changed<P>): Operation {
  return operation<Partial<Values<P>>>({
    permission: kind.permissions.update,
    placed: kind.placed,
    mode: 'write',
    summary: `Update a ${kind.entity}`,
    description: `${kind.about} Merges: a property that is absent stays as it is, \`null\` clears it, an array replaces the whole array. Changing nothing writes nothing.`,
    body: {
      schema: kind.updateSchema,
      read: kind.readUpdate,
      example: withoutIds(kind.example) ?? exampleOf(kind.updateSchema),
    },
    reply: { status: 200, schema: kind.schema, description: 'The record as it is now.' },
    refusals: [404, 412, 422],
    async run(ctx, input) {
      const record = await (own ?? kind.update)(ctx, idOf(input), input.body, { expect: input.expect }, input)
      return { body: await withCheck(ctx, record, kind.findings), version: record.version }
    },
  })
}

/** The id of the record that a request is about. */
export function idOf({ params, raw }: Input): string {
  const body =
    raw !== null && typeof raw === 'object'
      ? Object.entries(raw).find(([key]) => key.toLowerCase() === 'id')?.[1]
      : undefined
  const id = params.id ?? body
  if (id === undefined || id === null || id === '') throw new Invalid([fault(['id'], 'required', 'is required')])
  if (typeof id !== 'string') throw new Invalid([fault(['id'], 'type', 'must be a string', id)])
  if (
    params.id !== undefined &&
    typeof body === 'string' &&
    body !== '' &&
    body.toLowerCase() !== params.id.toLowerCase()
  ) {
    throw new Invalid([fault(['id'], 'mismatch', 'is not the id in the path', body)])
  }
  return id
}

type Gone<P extends TProperties> = (
  ctx: Context,
  id: string,
  more: { expect?: Expect },
  input: Input,
) => Promise<Stored<P> | undefined>

export function remove<P extends TProperties>(kind: Resource<P>, own?: Gone<P>): Operation {
  return {
    permission: kind.permissions.delete,
    placed: kind.placed,
    mode: 'write',
    summary: `Delete a ${kind.entity}`,
    description: `${kind.about} The record is marked as deleted and can be restored for 30 days.`,
    reply: { status: 204, description: 'It is deleted.' },
    refusals: [404, 412, 422],
    async run(ctx, input) {
      await (own ?? kind.remove)(ctx, input.params.id ?? '', { expect: input.expect }, input)
      return {}
    },
  }
}

export function restore<P extends TProperties>(
  kind: Resource<P>,
  own?: (ctx: Context, id: string) => Promise<Stored<P>>,
): Operation {
  return {
    permission: kind.permissions.delete,
    placed: kind.placed,
    mode: 'write',
    summary: `Restore a deleted ${kind.entity}`,
    description: `${kind.about} Undoes the deletion; a record that is not deleted stays as it is.`,
    reply: { status: 200, schema: kind.schema, description: 'The record, back again.' },
    refusals: [404, 422],
    async run(ctx, { params }) {
      const record = await (own ?? kind.restore)(ctx, params.id ?? '')
      return { body: await withCheck(ctx, record, kind.findings), version: record.version }
    },
  }
}

export const eventSchema: Schema = {
  type: 'object',
  title: 'Event',
  properties: {
    seq: { type: 'string', description: 'The place in the log, for `after`.' },
    id: { type: 'string', format: 'uuid' },
    tenantId: { type: 'string', format: 'uuid' },
    at: { type: 'string', format: 'date-time' },
    type: { type: 'string', description: '`clock.updated`, `item.created` …' },
    entity: { type: 'string' },
    recordId: { type: 'string', format: 'uuid' },
    actor: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        kind: { type: 'string' },
        ruleId: { type: 'string', description: 'The rule that did it.' },
      },
      required: ['id', 'kind'],
    },
    changeSetId: { type: 'string', format: 'uuid' },
    changes: {
      type: 'object',
      description: 'Before and after of each property that changed: `{"name": {"from": "a", "to": "b"}}`.',
    },
  },
  required: ['seq', 'id', 'tenantId', 'at', 'type', 'entity', 'recordId', 'actor', 'changeSetId', 'changes'],
}

/** What happened to one record, oldest first. */
export function history(kind: Kind): Operation {
  return {
    permission: kind.permissions.read,
    placed: kind.placed,
    mode: 'read',
    summary: `History of a ${kind.entity}`,
    description:
      'Every change of this record: who, when, and before and after of each property, oldest first. A deleted record keeps its history.',
    query: {
      property: {
        type: 'string',
        description: 'Only the changes of this property: `status`, or `Field.` and the id of a custom field.',
      },
    },
    reply: { status: 200, schema: { type: 'array', items: eventSchema }, description: 'The events of the record.' },
    refusals: [404],
    async run(ctx, { params, query }) {
      const { id } = await kind.get(ctx, params.id ?? '', { deleted: true })
      const property = typeof query.property === 'string' ? query.property : undefined
      const [row] = await ctx.sql<{
        text: string
      }>`select coalesce(json_agg(${eventJson} order by e.xact, e.id), '[]')::text as text from event e where e.tenant_id = ${ctx.caller.tenantId} and e.record_id = ${id} and e.entity = ${kind.entity}
        and exists (select 1 from ${name(kind.table)} t where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id} and ${kind.historyVisible(ctx.caller, raw('t'))})
        ${property === undefined ? nothing : sql`and e.changes ? ${property}::text`}`
      return { text: row?.text ?? '[]' }
    },
  }
}

/** What of a record its engine cannot act on. */
export function check(kind: Kind): Operation {
  return {
    permission: kind.permissions.read,
    placed: kind.placed,
    mode: 'read',
    summary: `Check a ${kind.entity}`,
    description:
      'Lists what of the record is stored but inert (an unknown code, a condition on a property that is not there) and why. Empty means all of it acts.',
    reply: { status: 200, schema: findingsSchema, description: 'The findings.' },
    refusals: [404],
    async run(ctx, { params }) {
      const record = await kind.get(ctx, params.id ?? '')
      return { body: (await kind.findings?.(record, ctx)) ?? [] }
    },
  }
}

function plural(entity: string): string {
  return /s$/.test(entity) ? entity : `${entity}s`.replace(/([^aeiou])ys$/, '$1ies')
}

/** `apiName` → `An api name`. */
function saying(property: string): string {
  return `${/^[aeiou]/i.test(property) ? 'An' : 'A'} ${property.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)}`
}

/** A small body that the schema accepts, for the documentation: what is required, then what anybody can say. */
export function exampleOf({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const names = Object.keys(properties)
  const ordered = [...names.filter(each => required.includes(each)), ...names.filter(each => !required.includes(each))]
  const example: Record<string, unknown> = {}
  for (const property of ordered) {
    const value = plainExample(property, properties[property] ?? {})
    if (value !== undefined && Object.keys(example).length < Math.max(3, required.length)) example[property] = value
  }
  return example
}

/** Ids are of one installation, addresses and moments of one purpose: of those there is no plain example. */
function plainExample(property: string, { type, format, examples, maxLength, ...schema }: Schema): unknown {
  if (Array.isArray(examples)) return examples[0]
  if (type === 'boolean') return true
  if (type !== 'string' || schema['x-ref'] || /(Id|Endpoint)$/.test(property)) return undefined
  const known: Record<string, string> = {
    'time-of-day': '09:00',
    weekday: 'Monday',
    email: 'ada@example.com',
    url: 'https://example.com/',
  }
  const value = format === undefined ? saying(property) : known[format]
  if (schema.pattern !== undefined && schema.pattern !== '\\S') return undefined
  return value && value.length <= Number(maxLength ?? 200) ? value : undefined
}

function withoutIds(example: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  return example && Object.fromEntries(Object.entries(example).filter(([, value]) => !isId(value)))
}
