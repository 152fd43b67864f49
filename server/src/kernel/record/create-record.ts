import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../context.ts'
import { appendWith, type Changes } from '../events.ts'
import { newId } from '../id.ts'
import { forgetAfterCommit } from '../memory.ts'
import { join, name, raw } from '../sql.ts'
import { plainDefault, stored } from './columns.ts'
import type { CreateOptions } from './record-options.ts'
import { completed } from './record-values.ts'
import type { Properties, Row, StoreOptions } from './store-options.ts'
import { demandAtPlace, keepHidden, validate } from './write-checks.ts'

const t = raw('t')

/** Stores a new record with its event. */
export async function createRecord(
  store: StoreOptions,
  ctx: Context,
  values: Properties,
  more: CreateOptions = {},
): Promise<Row> {
  const { columns, entity, area } = store
  const record = completed(columns, keepHidden(ctx, values, undefined))
  const id = more.id ?? newId()
  await demandAtPlace(store, ctx, 'create', record)
  await validate(store, ctx, record, undefined)
  const { tenantId, userId } = ctx.caller
  const own = Object.entries(more.own ?? {})
  const changes: Changes = {}
  for (const column of columns) {
    const to = record[column.property]
    if (!isDeepStrictEqual(to, plainDefault(column))) changes[column.property] = { to }
  }
  const names = [...columns.map(each => name(each.column)), ...own.map(([column]) => name(column))]
  const contents = [...columns.map(each => stored(each, record[each.property])), ...own.map(([, value]) => value)]
  const [row] = await ctx.sql<{ json: string }>`
    with made as (
      insert into ${name(store.table)} (tenant_id, id, created, created_by, updated, updated_by, ${join(names)})
      values (${tenantId}, ${id}, ${ctx.now}, ${userId}, ${ctx.now}, ${userId}, ${join(contents)})
      returning *
    ), happened as (${appendWith(ctx, raw('made'), { kind: `${area}.${more.verb ?? 'created'}`, entity, recordId: id, changes }, raw('made.version'))})
    select ${await store.jsonFor(ctx, t)} as json from made t`
  if (store.remembered) forgetAfterCommit(ctx)
  return JSON.parse(row?.json ?? 'null')
}
