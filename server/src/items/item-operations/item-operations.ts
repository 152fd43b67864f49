import type { Context } from '../../kernel/context.ts'
import { idOf, remove, restore } from '../../kernel/crud.ts'
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
import { type Sql, sql } from '../../kernel/sql.ts'
import { asOfQuery, readAsOf } from '../../records/history/as-of.ts'
import { history } from '../../records/history/history.ts'
import { changeItem, demandForce, forceQuery } from '../change/change.ts'
import { restoreItem } from '../change/restore.ts'
import { answerText, createItems, draftItem, type InsertedItem, type ItemReply } from '../create/create.ts'
import { type Item, items } from '../item/item.ts'
import { createSchema, effectsQuery, type ItemInput, readItem, updateSchema } from '../item-body/item-body.ts'
import { isItemKey } from '../keys/item-keys.ts'
import { findItemAsOf } from '../past/item-as-of.ts'
import { listItems } from '../search/item-search.ts'
import { archiving } from './archive-operation.ts'
import { convert } from './convert-operation.ts'
import { findItemWithTime, itemReply, itemReplyBody, itemReplySchema } from './item-reply.ts'
import { move } from './move-operation.ts'
import { rank } from './rank-operation.ts'
import { rendered, renderQuery } from './render-item.ts'
import { transitions } from './transitions-operation.ts'

const example = {
  title: 'Printer on floor 3 does not answer',
  Tags: ['hardware'],
  Time: [{ date: '2026-03-31', minutes: 45, note: 'Checked the cable' }],
  Meta: { source: 'old-desk', externalId: '4711' },
}

/**
 * Creates an item, or updates the one with the same external id; `by` is the context whose caller appears in the
 * events.
 */
export async function createOrUpdate(
  ctx: Context,
  read: ItemInput,
): Promise<{ answer: ItemReply; outcome: 'created' | 'updated' | 'unchanged'; by: Context }> {
  const draft = await draftItem(ctx, read)
  const by = ctx.derive({ caller: { ...ctx.caller, kind: draft.actorKind } })
  const [inserted] = await createItems(ctx, [draft])
  if (inserted) return { answer: JSON.parse(answerText(inserted, draft.warnings)), outcome: 'created', by }
  const { externalId, externalSource } = draft.origin
  if (externalId === null)
    throw new Conflict('container-changed', 'the container was archived or deleted during the request')
  const [known] = await ctx.sql<{
    id: Id
    version: number
    deleted: boolean
  }>`select id, version, deleted from item where tenant_id = ${ctx.caller.tenantId} and external_source = ${externalSource} and external_id = ${externalId}`
  if (!known) throw new Conflict('container-changed', 'the container was archived or deleted during the request')
  if (known.deleted) await restoreItem(by, known.id)
  const item = await changeItem(by, known.id, read)
  return {
    answer: await itemReplyBody(ctx, item, draft.warnings),
    outcome: item.version === known.version ? 'unchanged' : 'updated',
    by,
  }
}

export const createItem = operation<ItemInput>({
  permission: items.permissions.create,
  placed: true,
  mode: 'single',
  summary: 'Create an item',
  description:
    'Creates an item with its custom values (`Field`), `Tags`, `Meta` and time entries (`Time`), all or nothing. Without `containerId` it is created in the inbox. Requesters create items on service desks, by default on the first one, and set what its request form has (the screen for the portal); anything else is refused with 403 `not-on-request-form`. Unknown properties are stored under `Meta` and reported in `warnings`, or refused under `Prefer: handling=strict`. If an item with the same `Meta.source` and `Meta.externalId` exists, it is updated and the reply has the status 200.',
  body: { schema: createSchema, read: (body, options) => readItem(body, true, options), example },
  reply: { status: 201, schema: itemReplySchema, description: 'The item with its time entries.' },
  also: { 200: 'An item with this external id existed and was updated.' },
  refusals: [413, 422],
  query: effectsQuery,
  async run(ctx, input) {
    const read = { ...input.body, effects: input.query.effects === 'all' }
    const draft = await draftItem(ctx, read)
    const [inserted] = await createItems(ctx, [draft])
    if (inserted) return created(inserted, draft.warnings, input)
    if (ctx.single) throw new NeedsTransaction()
    const { answer } = await createOrUpdate(ctx, read)
    return { status: 200, body: answer, version: answer.version }
  },
})

function created(inserted: InsertedItem, warnings: string[], input: Input): Reply {
  return {
    text: answerText(inserted, warnings),
    version: inserted.version ?? 1,
    headers: { location: `${input.path.replace(/\/$/, '')}/${inserted.id}` },
  }
}

const update = operation<ItemInput>({
  permission: items.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Update an item',
  description:
    'A merge patch: absent properties stay, `null` clears a property, an array replaces the whole array. `Field` sets the custom values that it names and keeps the others; the value `null` clears one. `Time` adds the entries that do not exist yet.',
  body: {
    schema: updateSchema,
    read: (body, options) => readItem(body, false, options),
    example: { status: 'Done' },
  },
  reply: { status: 200, schema: itemReplySchema, description: 'The item after the change.' },
  refusals: [404, 412, 413, 422],
  query: forceQuery,
  async run(ctx, input) {
    const force = demandForce(ctx.caller, input.query)
    const item = await changeItem(ctx, idOf(input), input.body, { expect: input.expect, force })
    return await itemReply(ctx, item, input.body.warnings)
  },
})

const get: Operation = operation({
  permission: items.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Get one item',
  description:
    'Finds the item by its id or its key, such as `INBOX-12`. Keys that it had in other containers stay valid; `Content-Location` contains the current address.',
  query: { deleted: { type: 'string', enum: ['include'] }, ...renderQuery, asOf: asOfQuery },
  reply: {
    status: 200,
    schema: itemReplySchema,
    description: 'The item with its time entries.',
    headers: ['Content-Location'],
  },
  refusals: [404, 422],
  async run(ctx, { params, query }) {
    const id = params.id ?? ''
    if (!isId(id) && !isItemKey(id)) throw new NotFound()
    const gone = query.deleted === 'include'
    const asOf = await readAsOf(ctx, query.asOf)
    if (asOf) {
      const text = await findItemAsOf(ctx, isId(id) ? sql`p.id = ${id}` : called(ctx, id.toUpperCase()), asOf, gone)
      if (text === undefined) throw new NotFound()
      return rendered(query, { text })
    }
    const row = await findItemWithTime(ctx, isId(id) ? sql`t.id = ${id}` : sql`t.key = ${id.toUpperCase()}`, gone)
    if (row) return rendered(query, { text: row.text, version: row.version })
    const moved = isId(id) ? undefined : await findItemWithTime(ctx, formerly(ctx, id.toUpperCase()), gone)
    if (!moved) throw new NotFound()
    const headers = { 'content-location': `/api/item/${moved.key}` }
    return rendered(query, { text: moved.text, version: moved.version, headers })
  },
})

/** The item that had this key before it moved. */
function formerly(ctx: Context, key: string): Sql {
  return sql`t.id = (select k.item_id from item_key k where k.tenant_id = ${ctx.caller.tenantId} and k.key = ${key})`
}

/** The condition on the row `p` of the item that has this key, or else had it before it moved. */
function called({ caller: { tenantId } }: Context, key: string): Sql {
  return sql`p.id = coalesce((select i.id from item i where i.tenant_id = ${tenantId} and i.key = ${key} limit 1),
    (select k.item_id from item_key k where k.tenant_id = ${tenantId} and k.key = ${key}))`
}

export const routes: Routes = {
  'GET /item': listItems,
  'PUT /item': update,
  'GET /item/:id': get,
  'PUT /item/:id': update,
  'PATCH /item/:id': update,
  'DELETE /item/:id': remove(items),
  'POST /item/:id/restore': restore(items, restoreItem),
  'POST /item/:id/archive': archiving(true),
  'POST /item/:id/unarchive': archiving(false),
  'POST /item/:id/move': move,
  'POST /item/:id/rank': rank,
  'POST /item/:id/convert': convert,
  'GET /item/:id/history': history(items),
  'GET /item/:id/transitions': transitions,
}

export { itemReply, itemReplySchema } from './item-reply.ts'
export type { Item }
