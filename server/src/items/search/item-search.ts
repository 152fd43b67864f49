import { list } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import { answerList, archivedQuery } from '../../kernel/list/list-operation.ts'
import { readListing } from '../../kernel/list/listing.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { type ConditionGroups, ConditionGroups as Groups, operator } from '../../language/conditions/conditions.ts'
import { asOfQuery, readAsOf } from '../../records/history/as-of.ts'
import { items } from '../item/item.ts'
import { includeQuery, listedSchema, readInclude, withParts } from '../item-parts.ts'
import { refuseOfPresent, refuseUnpaged } from '../past/past.ts'
import { isPlainQuery, listItemQuery } from './search.ts'

interface Body {
  conditionGroup?: ConditionGroups
  q?: string
  container?: Id[]
  includeClosed?: boolean
  sort?: string
  limit?: number
  cursor?: string
  fields?: string
  count?: string
  archived?: string
  include?: string
  asOf?: string
}

const body: Schema = {
  type: 'object',
  properties: {
    conditionGroup: {
      ...Groups,
      description: 'One of the groups must hold; a group holds if all its conditions do.',
    },
    q: { type: 'string', maxLength: 400, description: 'Words, as in `GET /api/search`.' },
    container: {
      type: 'array',
      maxItems: 100,
      items: { type: 'string', maxLength: 36 },
      description: 'The containers to search; all if empty.',
    },
    includeClosed: { type: 'boolean', description: 'Whether closed items are included; true by default.' },
    sort: {
      type: 'string',
      maxLength: 500,
      description: 'The sort order, as in lists: `-priority,dueDate`. Custom fields are named by their key.',
    },
    limit: { type: 'integer', minimum: 1, maximum: 1000 },
    cursor: { type: 'string', maxLength: 4000 },
    fields: { type: 'string', maxLength: 2000, description: 'The properties to return, besides `id` and `entity`.' },
    count: { type: 'string', enum: ['exact', 'estimate'] },
    archived: archivedQuery,
    include: includeQuery,
    asOf: asOfQuery,
  },
  additionalProperties: false,
}

/** An item as lists show it. */
export const listedItem = listedSchema(items.schema)

/** Searches items by conditions and words; sorted and paged like any list. */
const searchItems = operation<Body>({
  permission: items.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Search items',
  description:
    'The items that fulfil the conditions and contain the words, among those that the caller may see: a filter that is not stored. Conditions that can never hold (an unknown path or operator) are refused. Returns all of them as one array; `limit` turns paging on, and the value of `X-Next-Cursor` is the `cursor` of the next body.',
  body: {
    schema: body,
    read: reader<Body>(body),
    example: {
      conditionGroup: [{ condition: [{ leftSide: 'priority', operator: operator.lessOrEqual, rightSide: '2' }] }],
      q: 'printer -toner',
      includeClosed: false,
      sort: '-updated',
      limit: 50,
    },
  },
  reply: {
    status: 200,
    schema: { type: 'array', items: listedItem },
    description: 'The items.',
    headers: ['X-Limit', 'X-Next-Cursor', 'X-Total-Count', 'X-Total-Count-Kind'],
  },
  refusals: [422],
  async run(ctx, input) {
    const { conditionGroup, q, container, includeClosed, include, asOf: moment, ...paging } = input.body
    const asOf = await readAsOf(ctx, moment)
    if (asOf) refuseOfPresent({ q, include })
    const wanted = readInclude(include)
    const asked = { conditionGroup, q, container, includeClosed, asOf }
    const listing = await listItemQuery(ctx, { ...asked, refuseInert: true }, paging, { about: asked })
    if (asOf) await refuseUnpaged(ctx, listing)
    const { headers: { link: _of, ...headers } = {}, ...answer } = await answerList(ctx, listing, input)
    return await withParts(ctx, wanted, { ...answer, headers })
  },
})

const plainList = list(items)

/** Lists the items that the caller may see, filtered by properties, custom fields and words. */
export const listItems = operation({
  ...plainList,
  description: `${plainList.description} Paths of conditions filter, too: \`field.severity=high\`, \`assignee=@me\`, \`dueDate[lte]=@today\`, \`tags=hardware\`.`,
  query: {
    ...plainList.query,
    q: { type: 'string', maxLength: 400, description: 'Words, as in `GET /api/search`.' },
    include: includeQuery,
    asOf: asOfQuery,
  },
  refusals: [422],
  reply: { ...plainList.reply, schema: { type: 'array', items: listedItem } },
  async run(ctx, input) {
    const { q, include, asOf: moment, ...query } = input.query
    const asOf = await readAsOf(ctx, moment)
    if (asOf) refuseOfPresent({ q, include })
    const wanted = readInclude(include)
    const listing =
      q === undefined && !asOf && isPlainQuery(query)
        ? await readListing(ctx, items, query)
        : await listItemQuery(ctx, { q: String(q ?? ''), asOf }, query, { about: asOf ?? q })
    if (asOf) await refuseUnpaged(ctx, listing)
    return await withParts(ctx, wanted, await answerList(ctx, listing, input))
  },
})

export const routes: Routes = { 'POST /item/search': searchItems }
