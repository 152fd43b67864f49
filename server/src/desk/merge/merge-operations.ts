import { type Static, Type } from 'typebox'
import { type Item, items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { bodyOf, type Operation, operation, type Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Name, Ref, Refs } from '../../kernel/schema/values.ts'
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

/** The representation of the item at one address: as an item or as a ticket. */
interface Representation {
  schema: Schema
  demand: (ctx: Context, id: Id) => Promise<unknown>
  answer: (ctx: Context, item: Item) => Promise<{ body: object; version: number }>
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
    summary: 'Merge into another item',
    description:
      'Moves the annotations, the time that is not approved yet, the files, watches and links to the target; annotations record where they came from. The cc addresses and the requester are added to the target’s cc. The item itself is closed with the target in `mergedInto`, and from then on refuses changes (422 `item-merged`). Its children stay with it. `unmerge` undoes the merge.',
    body: bodyOf(into, { into: '01890000-0000-7000-8000-000000000000' }),
    reply: { status: 200, schema, description: 'The target.' },
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
      'Moves back all records that the merge moved and that are still at the target, and restores the item. What was added to the target since stays there. An item that was not merged stays as it is.',
    reply: { status: 200, schema, description: 'The item that had been merged.' },
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
    summary: 'Split an item',
    description:
      'Moves some annotations to a new item in the same container or another one. The new item has the same requester and is linked to the first. What is hidden from the caller in the first item and would be shown in the new one is left out and named in `warnings`.',
    body: bodyOf(part, { title: 'And the printer, too' }),
    reply: { status: 201, schema: withWarnings(schema), description: 'The new item.' },
    refusals: [404, 422],
    async run(ctx, { params, body, path }) {
      await demand(ctx, params.id ?? '')
      const warnings: string[] = []
      const made = await split(ctx, params.id ?? '', body, warnings)
      const location = path.replace(/[^/]+\/split\/?$/, made.id)
      const { body: shown, version } = await answer(ctx, made)
      return { body: { ...shown, warnings }, version, headers: { location } }
    },
  })
}

const withWarnings = (schema: Schema): Schema => ({
  ...schema,
  title: `Split${schema.title}`,
  properties: {
    ...schema.properties,
    warnings: { type: 'array', items: { type: 'string' }, description: 'What was not taken from the first item.' },
  },
})

export const routes: Routes = {
  'POST /item/:id/merge': mergeOperation(asItem),
  'POST /item/:id/unmerge': unmergeOperation(asItem),
  'POST /item/:id/split': splitOperation(asItem),
  'POST /ticket/:id/merge': mergeOperation(asTicket),
  'POST /ticket/:id/unmerge': unmergeOperation(asTicket),
  'POST /ticket/:id/split': splitOperation(asTicket),
}
