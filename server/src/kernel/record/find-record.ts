import type { Context } from '../context.ts'
import { type Id, isId } from '../id.ts'
import { NotFound } from '../refusal.ts'
import { name, raw } from '../sql.ts'
import type { FindOptions } from './record-options.ts'
import type { Row, StoreOptions } from './store-options.ts'

const t = raw('t')

/** Returns a record that the caller may see; undefined if there is none. */
export async function findRecord(
  store: StoreOptions,
  ctx: Context,
  id: Id,
  more: FindOptions = {},
): Promise<Row | undefined> {
  if (!isId(id)) return undefined
  const json = await store.jsonFor(ctx, t)
  const [row] = await ctx.sql<{ json: string }>`select ${json} as json from ${name(store.table)} t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id} ${more.deleted ? raw('') : raw('and not t.deleted')}
      and ${store.visible(ctx.caller, t)} ${more.lock ? raw('for update of t') : raw('')}`
  return row && JSON.parse(row.json)
}

/** Returns a record that the caller may see, and refuses if there is none. */
export async function getRecord(store: StoreOptions, ctx: Context, id: Id, more: FindOptions = {}): Promise<Row> {
  const found = await findRecord(store, ctx, id, more)
  if (!found) throw new NotFound()
  return found
}
