import { type Static, Type } from 'typebox'
import { type Item, items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { bodyOf, type Operation, operation, type Reply, type Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/shape.ts'
import { Name, Ref, Refs } from '../../kernel/values.ts'
import { getTicket, ticketSchema } from '../ticket/read-ticket.ts'
import { merge, unmerge } from './merge.ts'
import { split } from './split.ts'

const into = Type.Object({ into: Ref('Item', { minLength: 1 }) }, { additionalProperties: false })
type Into = Static<typeof into>

const part = Type.Object(
  {
    title: Name(500),
    annotationIds: Type.Optional(Refs('Annotation', 500)),
    containerId: Type.Optional(Ref('Container')),
  },
  { additionalProperties: false },
)
type Part = Static<typeof part>

/** How an item goes out at one address, and what may be asked for there. */
interface Representation {
  schema: Schema
  demand: (ctx: Context, id: Id) => Promise<unknown>
  answer: (ctx: Context, item: Item) => Promise<Reply>
}

const asItem: Representation = {
  schema: items.schema,
  demand: async () => {},
  answer: async (_ctx, item) => ({ body: item, version: item.version }),
}

const asTicket: Representation = {
  schema: ticketSchema,
  demand: getTicket,
  async answer(ctx, { id }) {
    const ticket = await getTicket(ctx, id, { anywhere: true })
    return { body: ticket, version: ticket.version }
  },
}

function mergeOperation({ schema, demand, answer }: Representation): Operation {
  return operation<Into>({
    permission: items.permissions.update,
    placed: true,
    mode: 'write',
    summary: 'Merge into another',
    description:
      'What was said about it, the time on it that nobody has approved yet, its files, watchers and links go over, each remembering where it came from; those in copy, and its requester, are in copy there. The item itself is closed and says in `mergedInto` where it went; from then on it refuses changes (422 `item-merged`). Its children stay with it. `unmerge` undoes all of it.',
    body: bodyOf(into, { into: '01890000-0000-7000-8000-000000000000' }),
    reply: { status: 200, schema, description: 'The one it was merged into.' },
    refusals: [404, 422],
    async run(ctx, { params, body }) {
      await demand(ctx, params.id ?? '')
      return await answer(ctx, await merge(ctx, params.id ?? '', body.into))
    },
  })
}

function unmergeOperation({ schema, demand, answer }: Representation): Operation {
  return operation({
    permission: items.permissions.update,
    placed: true,
    mode: 'write',
    summary: 'Undo a merge',
    description:
      'Makes two of one again: all that went over and is still there comes back, and the item is as it was. What was added to the other since stays with it. An item that was not merged stays as it is.',
    reply: { status: 200, schema, description: 'The one that had been merged, back again.' },
    refusals: [404, 422],
    async run(ctx, { params }) {
      await demand(ctx, params.id ?? '')
      return await answer(ctx, await unmerge(ctx, params.id ?? ''))
    },
  })
}

function splitOperation({ schema, demand, answer }: Representation): Operation {
  return operation<Part>({
    permission: items.permissions.update,
    placed: true,
    mode: 'write',
    summary: 'Split off a part',
    description:
      'Makes a new item of some of what was said: in the same container or another, with the same requester, and linked to the first.',
    body: bodyOf(part, { title: 'And the printer, too' }),
    reply: { status: 201, schema, description: 'The new one.' },
    refusals: [404, 422],
    async run(ctx, { params, body, path }) {
      await demand(ctx, params.id ?? '')
      const made = await split(ctx, params.id ?? '', body)
      const location = path.replace(/[^/]+\/split\/?$/, made.id)
      return { ...(await answer(ctx, made)), headers: { location } }
    },
  })
}

export const routes: Routes = {
  'POST /item/:id/merge': mergeOperation(asItem),
  'POST /item/:id/unmerge': unmergeOperation(asItem),
  'POST /item/:id/split': splitOperation(asItem),
  'POST /ticket/:id/merge': mergeOperation(asTicket),
  'POST /ticket/:id/unmerge': unmergeOperation(asTicket),
  'POST /ticket/:id/split': splitOperation(asTicket),
}
