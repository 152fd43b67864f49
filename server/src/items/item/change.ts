import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../kernel/database.ts'
import { append } from '../../kernel/events.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import type { Expect, Own } from '../../kernel/resource.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { wayUp } from '../../kernel/tree.ts'
import { insertTimes, type Time, times, visibleTimes } from '../../time/time.ts'
import { containerFor, showsOf } from './draft.ts'
import { fieldsObject, type ReadField, readFields, valueRows } from './fields.ts'
import { type Item, items } from './item.ts'
import type { ItemWish, ReadItem } from './item-body.ts'
import { categoryOf, isClosed } from './status.ts'
import { type ReadTime, readTimes, timeRow } from './times.ts'

/** Changes what a body says of an item; what it does not say stays. Time is added, never taken away. */
export async function changeItem(
  ctx: Context,
  id: Id,
  { wish, warnings }: ReadItem,
  more: { expect?: Expect } = {},
): Promise<Item> {
  const before = (await items.get(ctx, id, { lock: true })) as Item
  if (wish.containerId && wish.containerId.toLowerCase() !== before.containerId) {
    throw new RuleBroken('container-fixed', 'an item keeps its container', [
      fault(['containerId'], 'container-fixed', 'must be the container the item is in', wish.containerId),
    ])
  }
  const { Field, Time, containerId: _same, ...plain } = wish
  const place = await containerFor(ctx, before.containerId)
  if (plain.parentId) await wayUp(ctx, items, plain.parentId.toLowerCase(), before.id)
  const own = Field
    ? await changedFields(
        ctx,
        before,
        await readFields(ctx, Field, { shows: showsOf(place), stored: before.Field }, warnings),
      )
    : undefined
  const after = (await items.update(
    ctx,
    id,
    { ...plain, ...statusChange(ctx, before, plain) },
    { ...more, ...(own ? { own } : {}) },
  )) as Item
  if (Time) await addTimes(ctx, after, await readTimes(ctx, Time, before.containerId))
  return after
}

/** A status carries its meaning with it, unless the body says another. */
function statusChange(ctx: Context, before: Item, { status, statusCategory }: ItemWish): Partial<Item> {
  if (status === undefined && statusCategory === undefined) return {}
  const category =
    statusCategory ??
    (status === undefined || status === before.status ? before.statusCategory : categoryOf(status ?? ''))
  const closedAt = isClosed(category) ? (before.closedAt ?? ctx.now.toISOString()) : null
  return { statusCategory: category, closedAt }
}

/** The array replaces what is shown; values that the container does not show stay as they are. */
async function changedFields(ctx: Context, before: Item, given: ReadField[]): Promise<Own | undefined> {
  const [row] = await ctx.sql<{
    fields: Record<Id, unknown>
  }>`select fields from item where tenant_id = ${ctx.caller.tenantId} and id = ${before.id}`
  const stored = row?.fields ?? {}
  const shown = new Set(before.Field.map(each => each.fieldId))
  const hidden = Object.entries(stored).filter(([fieldId]) => !shown.has(fieldId))
  const wanted = { ...Object.fromEntries(hidden), ...fieldsObject(given) }
  if (isDeepStrictEqual(wanted, stored)) return undefined
  const touched = [...new Set([...Object.keys(stored), ...Object.keys(wanted)])].filter(
    fieldId => !isDeepStrictEqual(stored[fieldId], wanted[fieldId]),
  )
  await ctx.sql`delete from item_value where tenant_id = ${ctx.caller.tenantId} and item_id = ${before.id} and field_id = any(${touched}::uuid[])`
  const rows = valueRows(given.filter(({ field }) => touched.includes(field.id)))
  await ctx.sql`insert into item_value (tenant_id, item_id, field_id, n, text_value, number_value, instant_value, date_value, id_value)
    select ${ctx.caller.tenantId}::uuid, ${before.id}::uuid, v.field_id, v.n, left(fold(v.text_value), 500), v.number_value, v.instant_value, v.date_value, v.id_value
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(field_id uuid, n smallint, text_value text, number_value numeric, instant_value timestamptz, date_value date, id_value uuid)`
  const changes = Object.fromEntries(
    touched.map(fieldId => [`Field.${fieldId}`, { from: stored[fieldId] ?? null, to: wanted[fieldId] ?? null }]),
  )
  return { columns: { fields: sql`${JSON.stringify(wanted)}::jsonb` }, changes }
}

/** An entry that is already there is not doubled: it is known by its external id, else by who, when, how long and what for. */
async function addTimes(ctx: Context, item: Item, given: readonly ReadTime[]): Promise<void> {
  const known = await ctx.sql<{
    userId: Id
    date: string
    minutes: number
    note: string
    externalId: string
  }>`select user_id as "userId", date, minutes, note, external_id as "externalId" from time where tenant_id = ${ctx.caller.tenantId} and item_id = ${item.id} and not deleted`
  const same = (entry: ReadTime) =>
    known.some(each =>
      entry.externalId
        ? each.externalId === entry.externalId
        : each.userId === entry.userId &&
          each.date === entry.date &&
          each.minutes === entry.minutes &&
          each.note === entry.note,
    )
  const fresh = given.filter(entry => !same(entry)).map(entry => ({ id: newId(), ...timeRow(entry), changes: entry }))
  if (fresh.length === 0) return
  const { tenantId, userId } = ctx.caller
  await ctx.sql`${insertTimes(sql`select ${tenantId}::uuid, e.id, ${ctx.now}::timestamptz, ${userId}::uuid, ${ctx.now}::timestamptz, ${userId}::uuid, e.user_id, ${item.id}::uuid, e.non_billable, ${item.containerId}::uuid, e.date, e.start, e."end", e.minutes, e.note, e.billable, e.external_id, e.timezone, 1
    from jsonb_to_recordset(${JSON.stringify(fresh)}::jsonb) as e(id uuid, user_id uuid, non_billable uuid, date date, start timestamptz, "end" timestamptz, minutes int, note text, billable int, external_id text, timezone text)`)}`
  await append(
    ctx,
    fresh.map(({ id, changes }) => ({
      kind: 'time.created',
      entity: 'Time',
      recordId: id,
      changes: {
        itemId: { to: item.id },
        userId: { to: changes.userId },
        date: { to: changes.date },
        minutes: { to: changes.minutes },
      },
    })),
  )
}

/** The time on an item that the caller may see. */
export async function timesOf(ctx: Context, itemId: Id): Promise<Time[]> {
  const s = raw('s')
  const [row] = await ctx.sql<{
    text: string
  }>`select coalesce(json_agg(${times.json(s)}::json order by s.date, s.created, s.id), '[]')::text as text from time s
    where s.tenant_id = ${ctx.caller.tenantId} and s.item_id = ${itemId} and not s.deleted and ${visibleTimes(ctx.caller, s)}`
  return JSON.parse(row?.text ?? '[]')
}
