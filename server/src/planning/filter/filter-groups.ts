import { containerFilters } from '../../containers/container-filter/container-filter.ts'
import { items } from '../../items/item/item.ts'
import { itemVocabulary } from '../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../kernel/context.ts'
import type { Listing } from '../../kernel/list/listing.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { readWhole } from '../../kernel/schema/whole-number.ts'
import { raw, type Sql, sql, unprepared } from '../../kernel/sql.ts'
import { type Grouping, groupingOf, namesOf } from '../board/grouping.ts'
import { filterOf, listFilter } from './filter-run.ts'

/** The maximum number of items that are counted; beyond it the counts are an estimate. */
const maxRows = 50_000
const maxGroups = 200
const maxFirst = 50
const t = raw('t')

const groupSchema: Schema = {
  type: 'object',
  title: 'Group',
  properties: {
    value: { type: 'string', description: 'The common value; empty for none.' },
    label: { type: 'string', description: 'The name of the value.' },
    count: { type: 'integer' },
    items: { type: 'array', items: items.schema },
  },
  required: ['value', 'label', 'count', 'items'],
}

const groups = operation({
  permission: containerFilters.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Group the items of a filter',
  description: `Counts the items that the filter finds by their value of \`groupBy\` (or of \`by\`), the most frequent value first, with the \`first\` few items of each group. An item with several values counts for each; without a property to group by there is one group. There are at most ${maxGroups} groups. At most ${maxRows} items are counted; if there are more, \`X-Total-Count-Kind\` is \`estimate\`.`,
  filters: true,
  query: {
    by: { type: 'string', description: 'Any path that conditions can use: `status`, `assignee`, `field.severity`.' },
    first: {
      type: 'integer',
      minimum: 0,
      maximum: maxFirst,
      description: 'The number of items to include per group; the default is none.',
    },
    fields: { type: 'string' },
  },
  reply: {
    status: 200,
    schema: { type: 'array', items: groupSchema },
    description: 'The groups.',
    headers: ['X-Total-Count', 'X-Total-Count-Kind'],
  },
  refusals: [404],
  async run(ctx, input) {
    const filter = await filterOf(ctx, input)
    const { by, first: few, ...query } = input.query
    const first = readWhole('first', few, 0, maxFirst) ?? 0
    const listing = await listFilter(ctx, filter, query)
    const found = await grouped(ctx, listing, await valuesBy(ctx, filter.groupBy, by), first)
    const total = found[0]?.total ?? 0
    return {
      text: `[${found.map(each => each.text).join(',')}]`,
      headers: {
        'x-total-count': String(Math.min(total, maxRows)),
        'x-total-count-kind': total > maxRows ? 'estimate' : 'exact',
      },
    }
  },
})

/**
 * The values by which an item (`t`) is grouped, as a select of one text column, and their grouping, which knows the
 * names.
 */
interface Values {
  select: Sql
  grouping?: Grouping
}

/** A stored field that no longer exists must not make the filter unusable; a field in the request must exist. */
async function valuesBy(ctx: Context, stored: string, asked: unknown): Promise<Values> {
  const by = asked === undefined ? stored : String(asked)
  const grouping = by === '' ? undefined : await groupingOf(ctx, by)
  if (grouping && grouping.kind !== 'users') return { select: sql`select ${grouping.value} as value`, grouping }
  const vocabulary = await itemVocabulary(ctx)
  const path = vocabulary.resolve(by) ?? vocabulary.resolve(`field.${by}`)
  if (!path && asked !== undefined && by !== '')
    throw new Invalid([fault(['by'], 'unknown-path', 'must be a path to group by', by)], 'the query is not valid')
  if (!path) return { select: raw(`select '' as value`) }
  const named = grouping ? { grouping } : {}
  if (path.kind !== 'set') return { select: sql`select coalesce((${path.value})::text, '') as value`, ...named }
  return {
    select: sql`select distinct coalesce(e.value::text, '') as value from (select 1) one left join (${path.elements}) e(value) on true`,
    ...named,
  }
}

async function grouped(
  ctx: Context,
  { resource, where, only, from = raw('item') }: Listing,
  { select, grouping }: Values,
  first: number,
): Promise<{ text: string; total: number }[]> {
  const rows = await ctx.sql<{ value: string; count: number; total: number; items: string }>`${unprepared(sql`
    with found as materialized (select t.id, v.value from ${from} t cross join lateral (${select}) v where ${where} limit ${maxRows + 1}),
    counted as (select f.value, count(*)::int as count from found f group by f.value order by 2 desc, 1 limit ${maxGroups})
    select c.value, c.count, (select count(*)::int from found) as total,
      ${
        first === 0
          ? raw(`''`)
          : sql`(select string_agg(${resource.json(t, only)}, ',' order by t.id) from item t
        where t.tenant_id = ${ctx.caller.tenantId} and t.id in (select f.id from found f where f.value = c.value order by f.id limit ${first}))`
      } as items
    from counted c order by c.count desc, c.value`)}`
  const names = grouping
    ? await namesOf(
        ctx,
        grouping,
        rows.map(row => row.value),
      )
    : undefined
  return rows.map(({ value, count, total, items: texts }) => {
    const label = names?.get(value) ?? (value === '' ? 'None' : value)
    return { text: `${JSON.stringify({ value, label, count }).slice(0, -1)},"items":[${texts ?? ''}]}`, total }
  })
}

export const routes: Routes = { 'GET /container/:containerId/filter/:filterId/groups': groups }
