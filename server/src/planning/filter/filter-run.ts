import { containers } from '../../containers/container/container.ts'
import { type ContainerFilter, containerFilters } from '../../containers/container-filter/container-filter.ts'
import { items } from '../../items/item/item.ts'
import { includeQuery, listedSchema, readInclude, withParts } from '../../items/item-parts.ts'
import { listItemQuery } from '../../items/search/search.ts'
import type { Context } from '../../kernel/context.ts'
import { countRows } from '../../kernel/list/count.ts'
import { answerList, archivedQuery } from '../../kernel/list/list-operation.ts'
import type { Listing } from '../../kernel/list/listing.ts'
import { type Input, operation, type Routes } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'

/** Runs a filter of a container. The result is limited to what the caller may see. */
export async function runFilter(ctx: Context, input: Input, filter: ContainerFilter): Promise<Listing> {
  return await listFilter(ctx, filter, input.query)
}

/** Does the same with the parameters of a list. */
export async function listFilter(
  ctx: Context,
  filter: ContainerFilter,
  query: Record<string, unknown>,
): Promise<Listing> {
  const { conditionGroup, container = [], includeClosed = false, sortField = '', sortDescending } = filter.criteria
  const among = container.length > 0 ? container : [filter.containerId]
  return await listItemQuery(ctx, { conditionGroup, container: among, includeClosed }, query, {
    order: sortField === '' ? '' : `${sortDescending ? '-' : ''}${sortField}`,
    about: filter.id,
  })
}

export async function filterOf(ctx: Context, { params }: Input): Promise<ContainerFilter> {
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
    'The items that the filter finds and the caller may see, in the order of the filter. Closed items are included only if the filter says so. Pages like any list.',
  filters: true,
  query: {
    limit: { type: 'integer', minimum: 1, maximum: 1000 },
    cursor: { type: 'string' },
    sort: { type: 'string' },
    fields: { type: 'string' },
    archived: archivedQuery,
    include: includeQuery,
  },
  reply: { status: 200, schema: { type: 'array', items: listedSchema(items.schema) }, description: 'The items.' },
  refusals: [404],
  async run(ctx, input) {
    const { include, ...query } = input.query
    const wanted = readInclude(include)
    const listing = await runFilter(ctx, { ...input, query }, await filterOf(ctx, input))
    return await withParts(ctx, wanted, await answerList(ctx, listing, input))
  },
})

const filteredCount = operation({
  permission: containerFilters.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Count the items of a filter',
  description: 'The number of items that the filter finds and the caller may see.',
  filters: true,
  reply: {
    status: 200,
    schema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
    description: 'The count.',
  },
  refusals: [404],
  run: async (ctx, input) => ({
    body: { count: await countRows(ctx, await runFilter(ctx, input, await filterOf(ctx, input))) },
  }),
})

export const routes: Routes = {
  'GET /container/:containerId/filter/:filterId/items': filteredItems,
  'GET /container/:containerId/filter/:filterId/count': filteredCount,
}
