import { type ContainerFilter, containerFilters } from '../../containers/container-filter/container-filter.ts'
import { items } from '../../items/item/item.ts'
import { listItemQuery } from '../../items/search/search.ts'
import { may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { estimateRows } from '../../kernel/list/count.ts'
import { archivedQuery } from '../../kernel/list/list-operation.ts'
import type { Listing } from '../../kernel/list/listing.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { type Fault, fault, Invalid } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { type ConditionGroups, ConditionGroups as Groups, operator } from '../../language/conditions/conditions.ts'
import { listFilter } from './filter-run.ts'

const maxQueries = 50

/** One question: a stored filter, or what a search asks. */
interface CountQuery {
  filterId?: Id
  conditionGroup?: ConditionGroups
  q?: string
  container?: Id[]
  containerId?: Id
  includeClosed?: boolean
  archived?: string
}

interface Body {
  queries: CountQuery[]
}

const id: Schema = { type: 'string', maxLength: 36 }

const query: Schema = {
  type: 'object',
  title: 'CountQuery',
  properties: {
    filterId: { ...id, description: 'A saved filter, of any container; then nothing else is given but `archived`.' },
    conditionGroup: { ...Groups, description: 'As in `POST /api/item/search`.' },
    q: { type: 'string', maxLength: 400, description: 'Words, as in `GET /api/search`.' },
    container: { type: 'array', maxItems: 100, items: id, description: 'The containers to search; all if empty.' },
    containerId: { ...id, description: 'One container, instead of `container`.' },
    includeClosed: { type: 'boolean', description: 'Whether closed items are included; true by default.' },
    archived: archivedQuery,
  },
  additionalProperties: false,
}

const body: Schema = {
  type: 'object',
  properties: { queries: { type: 'array', minItems: 1, maxItems: maxQueries, items: query } },
  required: ['queries'],
  additionalProperties: false,
}

const countSchema: Schema = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    exact: { type: 'boolean', description: 'False for an estimate, which is made beyond a thousand items.' },
  },
  required: ['count', 'exact'],
}

/** Counts the items of many questions at once, such as the filters in a sidebar. */
const countItems = operation<Body>({
  permission: items.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Count items of many queries',
  description: `The numbers of items that the caller may see, for up to ${maxQueries} questions in their order: each is a saved filter (\`filterId\`), or conditions and words as in \`POST /api/item/search\`. Up to a thousand items are counted exactly; beyond, \`exact\` is false and the number an estimate. If a question is not valid, nothing is counted, and all faults are named.`,
  body: {
    schema: body,
    read: reader<Body>(body),
    example: {
      queries: [
        { filterId: '01890000-0000-7000-8000-000000000000' },
        { containerId: '01890000-0000-7000-8000-000000000000', includeClosed: false },
        { conditionGroup: [{ condition: [{ leftSide: 'assignee', operator: operator.equals, rightSide: '@me' }] }] },
      ],
    },
  },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'ItemCounts',
      properties: { counts: { type: 'array', items: countSchema } },
      required: ['counts'],
    },
    description: 'The counts, in the order of the questions.',
  },
  async run(ctx, { body: { queries } }) {
    const listings = await compileAll(ctx, queries)
    const counts: { count: number; exact: boolean }[] = []
    for (const listing of listings) {
      const { count, kind } = await estimateRows(ctx, listing)
      counts.push({ count, exact: kind === 'exact' })
    }
    return { body: { counts } }
  },
})

/** Compiles all questions before one is asked; the faults of all of them are reported together. */
async function compileAll(ctx: Context, queries: readonly CountQuery[]): Promise<Listing[]> {
  const listings: Listing[] = []
  const faults: Fault[] = []
  for (const [i, each] of queries.entries())
    try {
      listings.push(await compileOne(ctx, each))
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      faults.push(...error.faults.map(found => inQuery(i, found)))
    }
  if (faults.length > 0) throw new Invalid(faults)
  return listings
}

function inQuery(i: number, found: Fault): Fault {
  return { ...found, Field: `queries.${i}.${found.Field}`, Pointer: `/queries/${i}${found.Pointer}` }
}

async function compileOne(ctx: Context, { filterId, containerId, archived, ...asked }: CountQuery): Promise<Listing> {
  const parameters = archived === undefined ? {} : { archived }
  if (filterId !== undefined) {
    const others = [...Object.keys(asked), ...(containerId === undefined ? [] : ['containerId'])]
    if (others.length > 0)
      throw new Invalid(others.map(each => fault([each], 'not-with-filter', 'cannot be given together with filterId')))
    return await listFilter(ctx, await filterWith(ctx, filterId), parameters)
  }
  if (containerId !== undefined && asked.container)
    throw new Invalid([fault(['containerId'], 'not-with-container', 'cannot be given together with container')])
  const among = containerId === undefined ? {} : { container: [containerId] }
  return await listItemQuery(ctx, { ...asked, ...among, refuseInert: true }, parameters)
}

/** A filter that the caller does not see is one that does not exist. */
export async function filterWith(ctx: Context, filterId: Id): Promise<ContainerFilter> {
  const filter = await containerFilters.find(ctx, filterId)
  if (!filter || !may(ctx.caller, containerFilters.permissions.read, filter))
    throw new Invalid([fault(['filterId'], 'unknown-reference', 'there is no such filter', filterId)])
  return filter
}

export const routes: Routes = { 'POST /item/count': countItems }
