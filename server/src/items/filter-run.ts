import { containers } from '../containers/container.ts'
import { type ContainerFilter, containerFilters } from '../containers/container-filter.ts'
import { compile } from '../kernel/conditions/conditions.ts'
import type { Context } from '../kernel/database.ts'
import { type Listing, readListing } from '../kernel/listing.ts'
import { type Input, operation, type Routes } from '../kernel/operation.ts'
import { countRows } from '../kernel/page.ts'
import { NotFound } from '../kernel/refusal.ts'
import type { Resource } from '../kernel/resource.ts'
import type { Schema } from '../kernel/shape.ts'
import { and, raw, sql } from '../kernel/sql.ts'
import { answerList } from '../kernel/stock.ts'
import { items } from './item/item.ts'
import { itemVocabulary, sortableBy } from './vocabulary/vocabulary.ts'

/** A filter of a container, run: what it finds is cut to what the caller may see anyway. */
async function runFilter(ctx: Context, input: Input): Promise<Listing> {
  const filter = await filterOf(ctx, input)
  const vocabulary = await itemVocabulary(ctx)
  const { criteria } = filter
  const viewer = { userId: ctx.caller.userId, now: ctx.now, timezone: ctx.caller.timezone }
  const among = criteria.container && criteria.container.length > 0 ? criteria.container : [filter.containerId]
  const where = and([
    sql`t.container_id = any(${among}::uuid[])`,
    criteria.includeClosed ? raw('true') : raw('t.status_category not in (4, 5)'),
    sql`(${compile(criteria.conditionGroup ?? [], vocabulary, viewer)}) is true`,
  ])
  const sortable = sortableBy(vocabulary)
  // A field that is no more must not make the filter unusable: it falls back to the order of creation.
  const wanted = criteria.sortField ?? ''
  const known =
    items.byProperty.has(wanted) || ['created', 'updated', 'id'].includes(wanted) || sortable(wanted) !== undefined
  const order = wanted !== '' && known ? `${criteria.sortDescending ? '-' : ''}${wanted}` : ''
  return readListing(ctx, items as unknown as Resource, input.query, { where, order, sortable })
}

async function filterOf(ctx: Context, { params }: Input): Promise<ContainerFilter> {
  const container = await containers.get(ctx, params.containerId ?? '')
  const filter = await containerFilters.get(ctx, params.filterId ?? '')
  if (filter.containerId !== container.id) throw new NotFound()
  return filter
}

const filteredItems = operation({
  permission: containerFilters.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Run a filter',
  description:
    'The items that the filter finds, in its order, as far as the caller may see them. Closed ones only if the filter includes them. Pages like any list.',
  query: {
    limit: { type: 'integer', minimum: 1, maximum: 1000 },
    cursor: { type: 'string' },
    sort: { type: 'string' },
    fields: { type: 'string' },
  },
  reply: { status: 200, schema: { type: 'array', items: items.schema as Schema }, description: 'The items.' },
  refusals: [404],
  run: async (ctx, input) => await answerList(ctx, await runFilter(ctx, input), input),
})

const filteredCount = operation({
  permission: containerFilters.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Count what a filter finds',
  description: 'How many items the filter finds among those the caller may see.',
  reply: {
    status: 200,
    schema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
    description: 'The count.',
  },
  refusals: [404],
  run: async (ctx, input) => ({ body: { count: await countRows(ctx, await runFilter(ctx, input)) } }),
})

export const routes: Routes = {
  'GET /container/:containerId/filter/:filterId/items': filteredItems,
  'GET /container/:containerId/filter/:filterId/count': filteredCount,
}
