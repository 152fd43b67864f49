import { reindexItems } from '../../items/search-index.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId, newId } from '../../kernel/id.ts'

/** Removes the values of fields from the items of containers that no longer show them: an event records them. */
export async function purgeValues(ctx: Context, departed: ReadonlyMap<Id, readonly string[]>): Promise<number> {
  const pairs = [...departed].flatMap(([container_id, names]) =>
    names.filter(isId).map(field_id => ({ container_id, field_id })),
  )
  if (pairs.length === 0) return 0
  const { tenantId, userId, kind } = ctx.caller
  const found = await ctx.sql<{ id: Id; held: Record<Id, unknown> }>`
    select i.id, jsonb_object_agg(d.field_id, i.fields -> d.field_id::text) as held
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as d(container_id uuid, field_id uuid)
    join item i on i.tenant_id = ${tenantId} and i.container_id = d.container_id and i.fields ? d.field_id::text
    group by i.id`
  if (found.length === 0) return 0
  const rows = found.map(({ id, held }) => ({
    record: id,
    event: newId(),
    gone: Object.keys(held),
    changes: Object.fromEntries(Object.entries(held).map(([field, from]) => [`Field.${field}`, { from, to: null }])),
  }))
  await ctx.sql`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w(record uuid, event uuid, gone text[], changes jsonb)
    ), made as (
      update item i set fields = i.fields - w.gone, updated = ${ctx.now}, updated_by = ${userId}, version = version + 1
      from wanted w where i.tenant_id = ${tenantId} and i.id = w.record
      returning w.record, w.event, w.changes, i.version
    ), untyped as (
      delete from item_value v using wanted w where v.tenant_id = ${tenantId} and v.item_id = w.record and v.field_id::text = any(w.gone)
    )
    insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes, version)
    select ${tenantId}::uuid, m.event, ${ctx.now}::timestamptz, 'item.updated', 'Item', m.record, ${userId}::uuid, ${kind}, ${ctx.changeSet}::uuid, m.changes, m.version
    from made m returning 1`
  await reindexItems(
    ctx,
    found.map(each => each.id),
  )
  return found.length
}
