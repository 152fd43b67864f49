import { Type } from 'typebox'
import { type Item, items } from '../../items/item/item.ts'
import { createItem } from '../../items/item-operations/item-operations.ts'
import { maySomewhere } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Operation, operation, type Reply, type Routes } from '../../kernel/operation.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { Forbidden } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { LongText, Name, Part, Ref } from '../../kernel/schema/values.ts'
import { findSimilar } from './find-similar.ts'

interface SimilarInput {
  title: string
  description?: string
  containerId?: Id
  processId?: Id
  limit?: number
}

const defaultLimit = 5
const maxLimit = 20

const inputs = {
  title: Name(500),
  description: LongText(200_000),
  containerId: Ref('Container', { description: 'Only items of this container.' }),
  processId: Ref('Process', { description: 'Only items of this process.' }),
  limit: Type.Integer({
    minimum: 1,
    maximum: maxLimit,
    description: `The most items of the answer; ${defaultLimit} by default.`,
  }),
}

const schema = Part(inputs, ['title'])

const similarItems: Schema = {
  type: 'array',
  items: {
    type: 'object',
    title: 'SimilarItem',
    properties: {
      score: { type: 'number', description: 'From 0 to 1: the weight of the words that both have.' },
      words: { type: 'array', items: { type: 'string' }, description: 'The words that both have, the rarest first.' },
      item: items.schema,
    },
    required: ['score', 'words', 'item'],
  },
}

/** Finds the items that resemble a text, such as that of an item that is about to be created. */
const similar = operation<SimilarInput>({
  permission: items.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Find similar items',
  description:
    'The items that resemble a title and a description, among those that the caller may see, best match first. A rare word counts more than a frequent one, a word of the title twice, and a word in the title of an item more than in its text; custom texts count, too. At equal score, open items and those closed within 30 days come first, then the last changed. Items that have little in common with the text are left out, and so are archived ones. Words are compared as in `GET /api/search`, without case and accents.',
  body: {
    schema,
    read: reader<SimilarInput>(schema),
    example: { title: 'Printer on floor 3 does not answer', limit: 3 },
  },
  reply: { status: 200, schema: similarItems, description: 'The items, with the reasons.' },
  refusals: [422],
  async run(ctx, { body: { limit = defaultLimit, ...asked } }) {
    const references = [
      { entity: 'Container', id: asked.containerId, path: ['containerId'] },
      { entity: 'Process', id: asked.processId, path: ['processId'] },
    ]
    await refuseUnknown(
      ctx,
      references.flatMap(({ id, ...each }) => (id ? [{ ...each, id }] : [])),
    )
    return { body: await findSimilar(ctx, { ...asked, limit }) }
  },
})

/** The creation of an item, which says on request which items resemble the new one. */
const create: Operation = {
  ...createItem,
  description: `${createItem.description} With \`similar=true\` the reply has the items that resemble the new one, as in \`POST /api/item/similar\`; together with \`dryRun=true\` they are known before it is created.`,
  query: {
    ...createItem.query,
    similar: {
      type: 'string',
      enum: ['true', 'false'],
      description: 'Whether the reply has the items that resemble the new one, in `similar`; needs `item.read`.',
    },
  },
  async run(ctx, input) {
    if (input.query.similar !== 'true') return await createItem.run(ctx, input)
    if (!maySomewhere(ctx.caller, items.permissions.read)) throw new Forbidden('this needs the permission item.read')
    return await withSimilar(ctx, await createItem.run(ctx, input))
  },
}

/** The reply with the items that resemble the created one. */
async function withSimilar(ctx: Context, { text, body: made, ...reply }: Reply): Promise<Reply> {
  const item: Item = text === undefined ? made : JSON.parse(text)
  const { id: except, title, description } = item
  return {
    ...reply,
    body: { ...item, similar: await findSimilar(ctx, { title, description, limit: defaultLimit, except }) },
  }
}

export const routes: Routes = { 'POST /item': create, 'POST /item/similar': similar }
