import { containers } from '../../containers/container/container.ts'
import { type ContainerFilter, containerFilters } from '../../containers/container-filter/container-filter.ts'
import { items } from '../../items/item/item.ts'
import { includeQuery, listedSchema, readInclude, withParts } from '../../items/item-parts.ts'
import { pastVocabulary, refuseOfPresent, refuseUnpaged, refuseUntold } from '../../items/past/past.ts'
import { listItemQuery } from '../../items/search/search.ts'
import type { Context } from '../../kernel/context.ts'
import { countRows } from '../../kernel/list/count.ts'
import { answerList, archivedQuery } from '../../kernel/list/list-operation.ts'
import type { Listing } from '../../kernel/list/listing.ts'
import { type Input, operation, type Routes } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { asOfQuery, readAsOf } from '../../records/history/as-of.ts'

/** Runs a filter of a container, for now or for an earlier moment. The result is limited to what the caller may see. */
export async function listFilter(
  ctx: Context,
  filter: ContainerFilter,
  query: Record<string, unknown>,
  asOf?: Date,
): Promise<Listing> {
  const { sortField = '', sortDescending } = filter.criteria
  const asked = questionOf(filter)
  if (asOf) refuseUntold(await pastVocabulary(ctx, asOf), asked.conditionGroup ?? [], [sortField])
  return await listItemQuery(ctx, { ...asked, asOf }, query, {
    order: sortField === '' ? '' : `${sortDescending ? '-' : ''}${sortField}`,
    about: [filter.id, asOf],
  })
}

/** What a filter asks for. */
export function questionOf({ criteria, containerId }: ContainerFilter) {
  const { conditionGroup, container = [], includeClosed = false } = criteria
  return { conditionGroup, container: container.length > 0 ? container : [containerId], includeClosed }
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
    asOf: asOfQuery,
  },
  reply: { status: 200, schema: { type: 'array', items: listedSchema(items.schema) }, description: 'The items.' },
  refusals: [404, 422],
  async run(ctx, input) {
    const { include, asOf: moment, ...query } = input.query
    const asOf = await readAsOf(ctx, moment)
    if (asOf) refuseOfPresent({ include })
    const wanted = readInclude(include)
    const listing = await listFilter(ctx, await filterOf(ctx, input), query, asOf)
    if (asOf) await refuseUnpaged(ctx, listing)
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
  query: { asOf: asOfQuery },
  reply: {
    status: 200,
    schema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
    description: 'The count.',
  },
  refusals: [404, 422],
  async run(ctx, input) {
    const { asOf, ...query } = input.query
    const listing = await listFilter(ctx, await filterOf(ctx, input), query, await readAsOf(ctx, asOf))
    return { body: { count: await countRows(ctx, listing) } }
  },
})

export const routes: Routes = {
  'GET /container/:containerId/filter/:filterId/items': filteredItems,
  'GET /container/:containerId/filter/:filterId/count': filteredCount,
}
