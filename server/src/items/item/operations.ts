import type { Context } from '../../kernel/database.ts'
import { type Id, isId } from '../../kernel/id.ts'
import {
  type Input,
  NeedsTransaction,
  type Operation,
  operation,
  type Reply,
  type Routes,
} from '../../kernel/operation.ts'
import { Conflict, NotFound } from '../../kernel/refusal.ts'
import type { Reader, Schema } from '../../kernel/shape.ts'
import { name, raw, sql } from '../../kernel/sql.ts'
import { history, idOf, list, remove, restore } from '../../kernel/stock.ts'
import { times, visibleTimes } from '../../time/time.ts'
import { bulkCreate } from './bulk.ts'
import { changeItem, timesOf } from './change.ts'
import { answerText, type Inserted, type ItemAnswer, insertItems } from './create.ts'
import { draftItem } from './draft.ts'
import { type Item, items } from './item.ts'
import { createSchema, type ReadItem, readItem, updateSchema } from './item-body.ts'

/** What an item looks like on its own: with the time on it. */
const wholeSchema: Schema = {
  ...(items.schema as Schema),
  title: 'ItemWithTime',
  properties: {
    ...(items.schema as Schema).properties,
    Time: { type: 'array', items: times.schema as Schema, description: 'The time on it that the caller may see.' },
    warnings: { type: 'array', items: { type: 'string' }, description: 'What was kept without being understood.' },
  },
  required: [...((items.schema as Schema).required ?? []), 'Time'],
}

const example = {
  title: 'Printer on floor 3 does not answer',
  Tags: ['hardware'],
  Time: [{ date: '2026-03-31', minutes: 45, note: 'Looked for the cable' }],
  Meta: { source: 'old-desk', externalId: '4711' },
}

/** Creates, or brings up to date what came before under the same external id. */
export async function createOrUpdate(
  ctx: Context,
  read: ReadItem,
): Promise<{ answer: ItemAnswer; outcome: 'created' | 'updated' | 'unchanged' }> {
  const draft = await draftItem(ctx, read)
  const [inserted] = await insertItems(ctx, [draft], 'whole')
  if (inserted) return { answer: JSON.parse(answerText(inserted, draft.warnings)), outcome: 'created' }
  const { externalId, externalSource } = draft.origin
  if (externalId === null)
    throw new Conflict('container-changed', 'the container was archived or deleted at this moment')
  const [known] = await ctx.sql<{
    id: Id
    version: number
    deleted: boolean
  }>`select id, version, deleted from item where tenant_id = ${ctx.caller.tenantId} and external_source = ${externalSource} and external_id = ${externalId}`
  if (!known) throw new Conflict('container-changed', 'the container was archived or deleted at this moment')
  if (known.deleted) await items.restore(ctx, known.id)
  const item = await changeItem(ctx, known.id, read)
  const entries = await timesOf(ctx, item.id)
  return {
    answer: {
      ...item,
      spentMinutes: entries.reduce((sum, each) => sum + each.minutes, 0),
      Time: entries,
      warnings: draft.warnings,
    },
    outcome: item.version === known.version ? 'unchanged' : 'updated',
  }
}

const create = operation<ReadItem>({
  permission: items.permissions.create,
  placed: true,
  mode: 'single',
  summary: 'Create an item',
  description:
    'Creates an item with its custom values (`Field`), its `Tags`, its `Meta` and its time entries (`Time`): all of it or nothing. Without `containerId` it lands in the inbox. An unknown property is kept under `Meta` and told in `warnings`. The same `Meta.source` and `Meta.externalId` again update the item in place and answer 200.',
  body: { schema: createSchema, read: (body => readItem(body, true)) as Reader<ReadItem>, example },
  reply: { status: 201, schema: wholeSchema, description: 'The item, with its time.' },
  also: { 200: 'The item was there under this external id, and is up to date now.' },
  refusals: [413, 422],
  async run(ctx, input) {
    const draft = await draftItem(ctx, input.body)
    const [inserted] = await insertItems(ctx, [draft], 'whole')
    if (inserted) return created(inserted, draft.warnings, input)
    if (ctx.single) throw new NeedsTransaction()
    const { answer } = await createOrUpdate(ctx, input.body)
    return { status: 200, body: answer, version: answer.version }
  },
})

function created(inserted: Inserted, warnings: string[], input: Input): Reply {
  return {
    text: answerText(inserted, warnings),
    version: 1,
    headers: { location: `${input.path.replace(/\/$/, '')}/${inserted.id}` },
  }
}

const update = operation<ReadItem>({
  permission: items.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Update an item',
  description:
    'Merges: what is absent stays, `null` clears, an array replaces the whole array; `Time` adds the entries that are not there yet.',
  body: {
    schema: updateSchema,
    read: (body => readItem(body, false)) as Reader<ReadItem>,
    example: { status: 'Done' },
  },
  reply: { status: 200, schema: wholeSchema, description: 'The item as it is now.' },
  refusals: [404, 412, 413, 422],
  async run(ctx, input) {
    const item = await changeItem(ctx, idOf(input), input.body, { expect: input.expect })
    const entries = await timesOf(ctx, item.id)
    return {
      body: {
        ...item,
        spentMinutes: entries.reduce((sum, each) => sum + each.minutes, 0),
        Time: entries,
        warnings: input.body.warnings,
      },
      version: item.version,
    }
  },
})

const keyPattern = /^[A-Za-z][A-Za-z0-9]{0,9}-\d{1,15}$/

const get: Operation = operation({
  permission: items.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Get one item',
  description: 'By its id or by its key, such as `INBOX-12`.',
  query: { deleted: { type: 'string', enum: ['include'] } },
  reply: { status: 200, schema: wholeSchema, description: 'The item, with its time.' },
  refusals: [404],
  async run(ctx, { params, query }) {
    const id = params.id ?? ''
    if (!isId(id) && !keyPattern.test(id)) throw new NotFound()
    const [t, s] = [raw('t'), raw('s')]
    const [row] = await ctx.sql<{
      json: string
      version: number
      times: string
    }>`select ${items.json(t)} as json, t.version,
        coalesce((select json_agg(${times.json(s)}::json order by s.date, s.created, s.id) from time s where s.tenant_id = t.tenant_id and s.item_id = t.id and not s.deleted and ${visibleTimes(ctx.caller, s)}), '[]')::text as times
      from ${name(items.table)} t where t.tenant_id = ${ctx.caller.tenantId} and ${isId(id) ? sql`t.id = ${id}` : sql`t.key = ${id.toUpperCase()}`}
        and ${query.deleted === 'include' ? raw('true') : raw('not t.deleted')} and ${items.visible(ctx.caller, t)}`
    if (!row) throw new NotFound()
    return { text: `${row.json.slice(0, -1)},"Time":${row.times}}`, version: row.version }
  },
})

export const routes: Routes = {
  'GET /item': list(items),
  'POST /item': create,
  'PUT /item': update,
  'POST /item/bulk': bulkCreate(createOrUpdate),
  'GET /item/:id': get,
  'PUT /item/:id': update,
  'PATCH /item/:id': update,
  'DELETE /item/:id': remove(items),
  'POST /item/:id/restore': restore(items),
  'GET /item/:id/history': history(items),
}

export type { Item }
