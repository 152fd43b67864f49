import { items } from '../../items/item/item.ts'
import { shown } from '../../kernel/columns.ts'
import type { Context } from '../../kernel/context.ts'
import { answerList } from '../../kernel/list-operation.ts'
import { readListing } from '../../kernel/listing.ts'
import { operation } from '../../kernel/operation.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { annotations, visibleWithTombstones } from './annotation.ts'
import { rendered, renderQuery } from './render-html.ts'

/** What is left of an annotation that was taken back: that there was one, when, and whose. */
const clearedInTombstone = ['body', 'attachments', 'mentions', 'mail', 'anchor']

/** An annotation as it stands in the stream of a conversation. */
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

/** The conversation about an item, as the caller may hear it. */
export const conversation = operation({
  permission: annotations.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'The conversation about an item',
  description:
    'What was said about an item, oldest first, as far as the caller may read it: requesters hear what is public. What was taken back leaves its place: `deleted` is true, and the text is gone. Pages and filters like any list.',
  query: {
    ...renderQuery,
    limit: { type: 'integer', minimum: 1, maximum: 1000, description: 'Turns paging on: at most so many records.' },
    cursor: { type: 'string', description: 'Where the last page ended.' },
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
    const listing = readListing(
      ctx,
      conversationResource,
      { ...input.query, deleted: 'include' },
      { where: sql`t.item_id = ${id}`, order: 'created', known: ['render'] },
    )
    return rendered(await answerList(ctx, listing, input), input.query)
  },
})
