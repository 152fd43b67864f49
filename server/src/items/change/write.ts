import type { Context } from '../../kernel/context.ts'
import { newId } from '../../kernel/id.ts'
import { join, name, raw, sql } from '../../kernel/sql.ts'
import { selectRecords } from '../../records/page/select-records.ts'
import { moveTimes } from '../../time/time.ts'
import { insertValues } from '../fields/insert-values.ts'
import { type Item, items } from '../item/item.ts'
import { columnTypes, itemColumns, rowOf } from '../item-row.ts'
import { reindexItems } from '../search-index.ts'
import type { ItemChange } from '../validation/item-change.ts'
import type { ItemChangePlan } from './plan.ts'

/** Writes the planned changes: one statement for the items and one for each dependent table. */
export async function write(ctx: Context, plans: readonly ItemChangePlan[]): Promise<ItemChange[]> {
  const { tenantId, userId, kind: actorKind } = ctx.caller
  const properties = new Set(plans.flatMap(each => Object.keys(each.changes ?? {})))
  const touched = plans.filter(each => each.touched.ids.length > 0)
  // Only columns that change for at least one item are sent.
  const changing = items.columns.filter(each => properties.has(each.property))
  const columns = itemColumns.filter(each =>
    each.column === 'fields' ? touched.length > 0 : changing.some(({ column }) => column === each.column),
  )
  const rows = plans.map(({ id, values, fields }) => {
    return { ...rowOf(id, values, changing), ...(touched.length > 0 ? { fields } : {}) }
  })
  const events = plans.map(({ id, changes }) => ({ id: newId(), record_id: id, changes }))
  // The ids are given once more, because the planner takes the rows of a JSON array for a hundred, and would read a small table whole.
  const before = sql`made as (
      update item set ${join([...columns.map(({ column }) => sql`${name(column)} = w.${name(column)}`), sql`updated = ${ctx.now}`])}, updated_by = ${userId}, version = version + 1
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w(${join([sql`id uuid`, columnTypes(columns)])})
      where item.tenant_id = ${tenantId} and item.id = w.id and item.id = any(${plans.map(each => each.id)}::uuid[])
      returning item.*
    ), happened as (
      insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes, version)
      select ${tenantId}::uuid, e.id, ${ctx.now}::timestamptz, 'item.updated', 'Item', e.record_id, ${userId}::uuid, ${actorKind}, ${ctx.changeSet}::uuid, e.changes, made.version
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e(id uuid, record_id uuid, changes jsonb) join made on made.id = e.record_id returning 1
    ),`
  const made = await selectRecords(ctx, items, { before, from: raw('from made t') })
  await rewriteValues(ctx, touched)
  await findable(ctx, plans)
  await leaveKeys(ctx, plans)
  const after = new Map(
    made.map(({ json }) => {
      const item: Item = JSON.parse(json)
      return [item.id, item]
    }),
  )
  return plans.flatMap(({ id, before, force, changes }) => {
    const item = after.get(id)
    return item ? [{ before, after: item, force, changes }] : []
  })
}

/** Updates the search index where indexed values changed. */
async function findable(ctx: Context, plans: readonly ItemChangePlan[]): Promise<void> {
  const idsOf = (some: (plan: ItemChangePlan) => boolean) => plans.filter(some).map(each => each.id)
  const worded = ['title', 'description', 'key']
  await reindexItems(
    ctx,
    idsOf(({ touched, changes = {} }) => touched.ids.length > 0 || worded.some(each => each in changes)),
  )
}

/** Rewrites the typed copies (`item_value`) of the custom values that changed. */
async function rewriteValues(ctx: Context, plans: readonly ItemChangePlan[]): Promise<void> {
  if (plans.length === 0) return
  const gone = plans.flatMap(({ id, touched }) => touched.ids.map(field_id => ({ item_id: id, field_id })))
  const rows = plans.flatMap(({ id, touched }) => touched.rows.map(row => ({ item_id: id, ...row })))
  await ctx.sql`delete from item_value v using jsonb_to_recordset(${JSON.stringify(gone)}::jsonb) as g(item_id uuid, field_id uuid)
    where v.tenant_id = ${ctx.caller.tenantId} and v.item_id = g.item_id and v.field_id = g.field_id`
  await ctx.sql`${insertValues(rows)}`
}

/** Keeps the old key of a moved item as an alias, and moves its time entries. */
async function leaveKeys(ctx: Context, plans: readonly ItemChangePlan[]): Promise<void> {
  const moved = plans.filter(each => each.arrival !== undefined)
  if (moved.length === 0) return
  const keys = moved.map(({ id, before }) => ({ key: before.key, item_id: id }))
  await ctx.sql`insert into item_key (tenant_id, key, item_id)
    select ${ctx.caller.tenantId}::uuid, k.key, k.item_id from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k(key text, item_id uuid)
    on conflict (tenant_id, key) do update set item_id = excluded.item_id returning 1`
  for (const [containerId, group] of Map.groupBy(moved, each => each.arrival?.place.id ?? '')) {
    await moveTimes(
      ctx,
      group.map(each => each.id),
      containerId,
    )
  }
}
