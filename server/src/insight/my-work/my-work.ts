import { items } from '../../items/item/item.ts'
import { partSchemas, partsAdded } from '../../items/item-parts.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { answerList } from '../../kernel/list/list-operation.ts'
import { readListing } from '../../kernel/list/listing.ts'
import { type Input, operation, type Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { readWhole } from '../../kernel/schema/whole-number.ts'
import { approvals } from '../../rules/approval/approval.ts'
import { myApprovals } from './my-approvals.ts'
import { openWork, type WorkList, workLists } from './open-work.ts'
import { recentItems } from './recent-items.ts'

/** The cards of a list, where the caller asks for no other number. */
const usualCards = 20
const maxCards = 100

/** The properties of a card. */
const cardProperties = [
  'key',
  'title',
  'status',
  'statusCategory',
  'priority',
  'assignees',
  'dueDate',
  'containerId',
  'processId',
  'parentId',
  'points',
  'estimateMinutes',
  'spentMinutes',
  'Tags',
  'updated',
  'version',
]

type Card = Record<string, unknown> & { id: Id }

const cardSchema: Schema = {
  type: 'object',
  title: 'WorkCard',
  properties: {
    ...Object.fromEntries(
      ['entity', 'id', ...cardProperties].map(property => [property, items.schema.properties?.[property] ?? {}]),
    ),
    clock: partSchemas.clock ?? {},
  },
  required: ['entity', 'id', 'version'],
}

const cardsSchema = (description: string): Schema => ({
  type: 'array',
  maxItems: maxCards,
  items: cardSchema,
  description,
})

const lists: Record<WorkList | 'recent', Schema> = {
  now: cardsSchema('Started.'),
  overdue: cardsSchema('Due before today, where the caller is.'),
  waiting: cardsSchema('With a running clock: red ones first, then by the next breach.'),
  soon: cardsSchema('Due within seven days.'),
  later: cardsSchema('The rest: due later, or on no day.'),
  recent: cardsSchema('What the caller changed or wrote on last, beside the items of the other lists.'),
}

const countNames = [...workLists, 'approvals']

const schema: Schema = {
  type: 'object',
  title: 'MyWork',
  properties: {
    ...lists,
    approvals: {
      type: 'array',
      maxItems: maxCards,
      items: {
        ...approvals.schema,
        title: 'ApprovalWithItem',
        properties: { ...approvals.schema.properties, item: cardSchema },
        required: (approvals.schema.required ?? []).filter(each => each !== 'check'),
      },
      description: 'Pending approvals that wait for the vote of the caller, each with its item.',
    },
    counts: {
      type: 'object',
      properties: Object.fromEntries(countNames.map(name => [name, { type: 'integer' }])),
      required: countNames,
      description: 'How many there are in all; 200 approvals mean 200 or more.',
    },
  },
  required: [...Object.keys(lists), 'approvals', 'counts'],
}

const myWork = operation({
  permission: items.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Get the work of the caller',
  description: `The open items that are assigned to the caller, each in the first list that it belongs to: \`now\` (started), \`overdue\`, \`waiting\` (with a running clock), \`soon\`, \`later\`; further \`recent\`, what they changed last, and the \`approvals\` that wait for their vote. Every list has at most \`limit\` cards with the state of their clocks.`,
  query: {
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: maxCards,
      description: `The number of cards per list; the default is ${usualCards}.`,
    },
  },
  reply: { status: 200, schema, description: 'The lists.' },
  async run(ctx, input) {
    const size = readWhole('limit', input.query.limit, 1, maxCards) ?? usualCards
    const { ids, counts } = await openWork(ctx, size)
    const listed = new Set(Object.values(ids).flat())
    const recent = (await recentItems(ctx)).filter(id => !listed.has(id)).slice(0, 3 * size)
    const asked = await myApprovals(ctx)
    const shown = asked.slice(0, size)
    const cards = await cardsOf(ctx, input, [...listed, ...recent, ...shown.map(each => each.itemId)])
    const some = (wanted: readonly Id[]) => wanted.flatMap(id => cards.get(id) ?? []).slice(0, size)
    return {
      body: {
        ...Object.fromEntries(workLists.map(list => [list, some(ids[list])])),
        recent: some(recent),
        approvals: shown.map(each => ({ ...each, ...itemOf(cards.get(each.itemId)) })),
        counts: { ...counts, approvals: asked.length },
      },
    }
  },
})

const itemOf = (item: Card | undefined) => (item ? { item } : {})

/** The cards of all lists by one statement, and their clocks by another. */
async function cardsOf(ctx: Context, input: Input, ids: readonly Id[]): Promise<Map<Id, Card>> {
  if (ids.length === 0) return new Map()
  const { caller, services } = ctx
  const fields = cardProperties.filter(each => !services.redaction.hides(caller, items.entity, each)).join(',')
  const listing = await readListing(ctx, items, { id: [...new Set(ids)].join(','), fields, limit: '1000' })
  const { text = '[]' } = await answerList(ctx, listing, input)
  const cards = await partsAdded<Card>(ctx, new Set(['clock']), JSON.parse(text))
  return new Map(cards.map(each => [each.id, each]))
}

export const routes: Routes = { 'GET /user/me/work': myWork }
