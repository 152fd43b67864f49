import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { ownTenant, raw, sql } from '../../kernel/sql.ts'
import type { FieldValue } from './value/value-types.ts'

// A changed field converts its values in the same transaction, including values of deleted items and values that no
// container shows. This is plain SQL because this room must not import `items`, which is a higher one.

const batch = 1000
const maxSamples = 20

/** The outcome of the conversion of a field's values. */
export interface Conversion {
  /** The number of items that had a value. */
  values: number
  converted: number
  lost: number
  /** A sample of the lost values, from items that the caller may see. */
  samples: { itemId: Id; key: string; value: unknown }[]
}

interface Holder {
  id: Id
  key: string
  value: unknown
  visible: boolean
}

/** Converts the value of every item that has one; a value without a result is lost. */
export async function turnValues(
  ctx: Context,
  fieldId: Id,
  turn: (value: unknown) => FieldValue | undefined,
  { only }: { only?: readonly string[] } = {},
): Promise<Conversion> {
  const told: Conversion = { values: 0, converted: 0, lost: 0, samples: [] }
  for (let last: Id | undefined; ; ) {
    const holders = await holdersAfter(ctx, fieldId, last, only)
    const turned = holders.map(holder => ({ holder, value: turn(holder.value) }))
    told.values += holders.length
    for (const { holder, value } of turned) {
      if (value && value.shown !== null) told.converted++
      else {
        told.lost++
        if (holder.visible && told.samples.length < maxSamples)
          told.samples.push({ itemId: holder.id, key: holder.key, value: holder.value })
      }
    }
    await store(ctx, fieldId, turned)
    if (holders.length < batch) return told
    last = holders.at(-1)?.id
  }
}

async function holdersAfter(
  ctx: Context,
  fieldId: Id,
  last: Id | undefined,
  only: readonly string[] | undefined,
): Promise<Holder[]> {
  const { tenantId } = ctx.caller
  const held = only
    ? sql`and v.text_value = any(array(select left(fold(o), 500) from unnest(${only}::text[]) o))`
    : raw('')
  return await ctx.sql<Holder>`select i.id, i.key, i.fields -> ${fieldId}::text as value, ${kind('Item').visible(ctx.caller, raw('i'))} as visible
    from item i where i.tenant_id = ${tenantId} and ${last ? sql`i.id > ${last}` : raw('true')}
      and exists (select 1 from item_value v where v.tenant_id = ${tenantId} and v.item_id = i.id and v.field_id = ${fieldId} ${held})
    order by i.id limit ${batch} for update of i`
}

async function store(
  ctx: Context,
  fieldId: Id,
  turned: readonly { holder: Holder; value: FieldValue | undefined }[],
): Promise<void> {
  if (turned.length === 0) return
  const { tenantId, userId } = ctx.caller
  const changed = turned
    .map(({ holder, value }) => ({ id: holder.id, from: holder.value, to: value?.shown ?? null }))
    .filter(({ from, to }) => !isDeepStrictEqual(from, to))
  await ctx.sql`update item set fields = case when w."to" = 'null'::jsonb or w."to" is null then item.fields - ${fieldId}::text else jsonb_set(item.fields, array[${fieldId}::text], w."to") end,
      updated = ${ctx.now}, updated_by = ${userId}, version = item.version + 1
    from jsonb_to_recordset(${JSON.stringify(changed.map(({ id, to }) => ({ id, to })))}::jsonb) as w(id uuid, "to" jsonb)
    where item.tenant_id = ${tenantId} and item.id = w.id`
  await appendEvents(
    ctx,
    changed.map(({ id, from, to }) => ({
      kind: 'item.updated',
      entity: 'Item',
      recordId: id,
      changes: { [`Field.${fieldId}`]: { from: from ?? null, to } },
    })),
  )
  await ctx.sql`delete from item_value where tenant_id = ${tenantId} and field_id = ${fieldId} and item_id = any(${turned.map(each => each.holder.id)}::uuid[])`
  const rows = turned.flatMap(({ holder, value }) =>
    (value?.rows ?? []).map((row, n) => ({ item_id: holder.id, n, ...row })),
  )
  await ctx.sql`insert into item_value (tenant_id, item_id, field_id, n, text_value, number_value, instant_value, date_value, id_value)
    select ${tenantId}::uuid, v.item_id, ${fieldId}::uuid, v.n, left(fold(v.text), 500), v.number, v.instant, v.date, v.id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(item_id uuid, n smallint, text text, number double precision, instant timestamptz, date date, id uuid) returning 1`
  await ctx.sql`select index_items(${tenantId}, ${turned.map(each => each.holder.id)}::uuid[])`
}

/** The distinct values of a field as texts, up to a limit. */
export async function differentValues(ctx: Context, fieldId: Id, most: number): Promise<string[]> {
  const rows = await ctx.sql<{ value: string }>`select i.fields ->> ${fieldId}::text as value from item i
    where i.tenant_id = ${ctx.caller.tenantId} and exists (select 1 from item_value v where v.tenant_id = ${ctx.caller.tenantId} and v.item_id = i.id and v.field_id = ${fieldId})
    group by 1 order by min(i.id::text) limit ${most}`
  return rows.flatMap(row => row.value ?? [])
}

/** The number of items that hold each of these options. */
export async function holdersOf(ctx: Context, fieldId: Id, options: readonly string[]): Promise<Map<string, number>> {
  const rows = await ctx.sql<{ id: string; count: number }>`select o.id, count(*)::int as count
    from unnest(${options}::text[]) o(id) join item_value v on v.tenant_id = ${ctx.caller.tenantId} and v.field_id = ${fieldId} and v.text_value = left(fold(o.id), 500)
    group by o.id`
  return new Map(rows.map(row => [row.id, row.count]))
}

/** A sample of the values that more than one item has. Texts longer than the indexed prefix are compared in full. */
export async function sharedValues(ctx: Context, fieldId: Id): Promise<{ value: unknown; items: number }[]> {
  return await ctx.sql<{
    value: unknown
    items: number
  }>`select min(i.fields ->> ${fieldId}::text) as value, count(*)::int as items
    from item_value v join item i on i.tenant_id = ${ownTenant} and i.id = v.item_id and not i.deleted
    where v.tenant_id = ${ctx.caller.tenantId} and v.field_id = ${fieldId}
    group by v.text_value, v.number_value, v.instant_value, v.date_value, v.id_value, case when length(v.text_value) >= 500 then fold(i.fields ->> ${fieldId}::text) end
    having count(*) > 1 order by 2 desc, 1 limit ${maxSamples}`
}
