import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../context.ts'
import { appendWith, type Changes } from '../events.ts'
import type { Id } from '../id.ts'
import { forgetAfterCommit } from '../memory.ts'
import { join, name, raw, sql } from '../sql.ts'
import { type Column, stored } from './columns.ts'
import { getRecord } from './find-record.ts'
import { expectVersion, type OwnColumns } from './record.ts'
import type { UpdateOptions } from './record-options.ts'
import { completed, ownProperties } from './record-values.ts'
import type { Properties, Row, StoreOptions } from './store-options.ts'
import { demandAtPlace, keepHidden, validate } from './write-checks.ts'

const t = raw('t')

/** Changes a record. An absent property stays, `null` resets it to the default. An update without changes writes nothing. */
export async function updateRecord(
  store: StoreOptions,
  ctx: Context,
  id: Id,
  given: Properties,
  more: UpdateOptions = {},
): Promise<Row> {
  const before = await getRecord(store, ctx, id, { lock: true })
  const values = keepHidden(ctx, given, before)
  expectVersion(before, more.expect)
  const after = completed(store.columns, { ...ownProperties(store.columns, before), ...values })
  const changed = store.columns.filter(
    ({ property }) => property in values && !isDeepStrictEqual(after[property], before[property]),
  )
  await demandAtPlace(store, ctx, 'update', before)
  if (changed.length === 0 && !changesAnything(more.own)) return before
  await demandAtPlace(store, ctx, 'update', { ...after, id })
  await validate(store, ctx, after, before)
  return await writeRow(store, ctx, before, after, changed, more.verb ?? 'updated', more.own)
}

/** Marks a record as deleted. */
export async function removeRecord(store: StoreOptions, ctx: Context, id: Id, more: UpdateOptions = {}): Promise<Row> {
  const before = await getRecord(store, ctx, id, { lock: true })
  await demandAtPlace(store, ctx, 'delete', before)
  expectVersion(before, more.expect)
  return await writeRow(store, ctx, before, {}, [], 'deleted')
}

/** Ends the deletion of a record; one that is not deleted stays as it is. */
export async function restoreRecord(store: StoreOptions, ctx: Context, id: Id): Promise<Row> {
  const before = await getRecord(store, ctx, id, { lock: true, deleted: true })
  await demandAtPlace(store, ctx, 'delete', before)
  if (!before.deleted) return before
  await store.check?.(ctx, completed(store.columns, ownProperties(store.columns, before)), before)
  return await writeRow(store, ctx, before, {}, [], 'restored')
}

/** Writes the changed columns of a record with its event, in one statement. */
async function writeRow(
  store: StoreOptions,
  ctx: Context,
  before: Row,
  after: Properties,
  changed: readonly Column[],
  verb: string,
  own: OwnColumns = { columns: {}, changes: {} },
): Promise<Row> {
  const changes: Changes = { ...own.changes }
  for (const { property } of changed) changes[property] = { from: before[property], to: after[property] }
  const changesDeleted = verb === 'deleted' || verb === 'restored'
  if (changesDeleted) changes.deleted = { from: before.deleted, to: verb === 'deleted' }
  const sets = changed.map(each => sql`${name(each.column)} = ${stored(each, after[each.property])}`)
  for (const [column, value] of Object.entries(own.columns)) sets.push(sql`${name(column)} = ${value}`)
  if (changesDeleted) sets.push(sql`deleted = ${verb === 'deleted'}`)
  const [row] = await ctx.sql<{ json: string }>`
    with made as (
      update ${name(store.table)} set ${join([...sets, sql`updated = ${ctx.now}`])}, updated_by = ${ctx.caller.userId}, version = version + 1
      where tenant_id = ${ctx.caller.tenantId} and id = ${before.id}
      returning *
    ), happened as (${appendWith(ctx, raw('made'), { kind: `${store.area}.${verb}`, entity: store.entity, recordId: before.id, changes }, raw('made.version'))})
    select ${await store.jsonFor(ctx, t)} as json from made t`
  if (store.remembered) forgetAfterCommit(ctx)
  return JSON.parse(row?.json ?? 'null')
}

function changesAnything(own: OwnColumns | undefined): boolean {
  return own !== undefined && (Object.keys(own.columns).length > 0 || Object.keys(own.changes).length > 0)
}
