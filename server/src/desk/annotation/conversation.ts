import { items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { answerList } from '../../kernel/list/list-operation.ts'
import { readListing } from '../../kernel/list/listing.ts'
import { operation } from '../../kernel/operation.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { shown } from '../../records/page/shown-value.ts'
import { annotations, visibleWithTombstones } from './annotation.ts'
import { rendered, renderQuery } from './render-html.ts'

/**
 * The properties that are blank in a tombstone, the remains of a deleted annotation: it shows only when it was written
 * and by whom.
 */
const clearedInTombstone = ['body', 'attachments', 'mentions', 'mail', 'anchor']

/** An annotation as the conversation shows it. */
export function conversationJson(a: Sql, only?: ReadonlySet<string>): Sql {
  const columns = annotations.columns.filter(
    ({ property }) => clearedInTombstone.includes(property) && (!only || only.has(property)),
  )
  const also = columns.map(each => [
    each.property,
    sql`case when ${a}.deleted then ${raw(each.type === 'text' ? "''" : "'{}'")} else ${shown(each, a)} end`,
  ])
  return annotations.json(a, only, Object.fromEntries(also))
}

const conversationResource = {
  ...annotations,
  visible: visibleWithTombstones,
  json: conversationJson,
  jsonFor: async (_ctx: Context, a: Sql, only?: ReadonlySet<string>) => conversationJson(a, only),
}

/** The conversation about an item: its annotations that the caller may read. */
export const conversation = operation({
  permission: annotations.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'The conversation about an item',
  description:
    'The annotations of an item that the caller may read, oldest first; requesters read public annotations only. A deleted annotation stays in the list with `deleted` true and without its text. Pages and filters like any list.',
  filters: true,
  query: {
    ...renderQuery,
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description: 'Turns paging on: the maximum number of records.',
    },
    cursor: { type: 'string', description: 'The `X-Next-Cursor` of the previous page.' },
    sort: { type: 'string', description: 'Properties to sort by: `-created` for the newest first.' },
  },
  reply: {
    status: 200,
    schema: { type: 'array', items: annotations.schema },
    description: 'The annotations of the item.',
  },
  refusals: [404],
  async run(ctx, input) {
    const { id } = await items.get(ctx, input.params.id ?? '')
    const listing = await readListing(
      ctx,
      conversationResource,
      { ...input.query, deleted: 'include' },
      { where: sql`t.item_id = ${id}`, order: 'created', known: ['render'] },
    )
    return rendered(await answerList(ctx, listing, input), input.query)
  },
})
