import type { Context } from '../../kernel/context.ts'
import type { Reply } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { name, ownTenant, raw, type Sql } from '../../kernel/sql.ts'
import { counts } from '../../time/minutes-spent.ts'
import { embeddedTime, times, visibleTimes } from '../../time/time.ts'
import { minutesOf } from '../../time/time-entry.ts'
import { timeState } from '../../time/time-state.ts'
import type { ItemReply } from '../create/create.ts'
import { type Item, items } from '../item/item.ts'
import { type ItemWithTimes, itemText } from '../item/item-text.ts'
import { timesOf } from '../item/item-times.ts'
import { renderedProperties } from './render-item.ts'

/** The schema of a single item with its time entries. */
export const itemReplySchema: Schema = {
  ...items.schema,
  title: 'ItemWithTime',
  properties: {
    ...items.schema.properties,
    Time: { type: 'array', items: times.schema, description: 'The time entries of the item that the caller may see.' },
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description: 'Parts of the body that were stored but have no effect.',
    },
    similar: { type: 'array', items: { $ref: '#/components/schemas/SimilarItem' } }, // see planning/similar
    ...renderedProperties,
  },
  required: [...(items.schema.required ?? []), 'Time'],
}

/** An item with its time entries, as JSON text. The entries are read once, for their sum and for those that the caller may see. */
export async function findItemWithTime(ctx: Context, which: Sql, deleted: boolean) {
  const [t, s] = [raw('t'), raw('s')]
  const text = await itemText(ctx)
  const [row] = await ctx.sql<ItemWithTimes & { key: string; version: number }>`
    select ${text.selected}, t.key, t.version
    from ${name(items.table)} t cross join lateral (
      select coalesce(round(sum(s.seconds) filter (where ${counts(s)}) / 60.0), 0)::int as minutes,
        string_agg(${embeddedTime}, ', ' order by s.date, s.created, s.id) filter (where ${visibleTimes(ctx.caller, s)}) as times
      from time s where s.tenant_id = ${ownTenant} and s.item_id = t.id and not s.deleted) e
    where t.tenant_id = ${ctx.caller.tenantId} and ${which}
      and ${deleted ? raw('true') : raw('not t.deleted')} and ${items.visible(ctx.caller, t)}`
  if (!row) return undefined
  const [whole = ''] = await text.complete([row])
  return { ...row, text: whole }
}

/** The reply body for a written item, with its time entries and warnings. */
export async function itemReplyBody(ctx: Context, item: Item, warnings: string[]): Promise<ItemReply> {
  const entries = await timesOf(ctx, item.id)
  const seconds = entries.reduce((sum, each) => sum + (each.state === timeState.draft ? 0 : each.seconds), 0)
  return { ...item, spentMinutes: minutesOf(seconds), Time: entries, warnings }
}

export async function itemReply(ctx: Context, item: Item, warnings: string[]): Promise<Reply> {
  return { body: await itemReplyBody(ctx, item, warnings), version: item.version }
}
