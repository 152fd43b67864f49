import { Type } from 'typebox'
import { type GuestLink, guestLink } from '../../desk/guest/guest.ts'
import { createTicket, type ReadTicket, readTicketBody } from '../../desk/ticket/write-ticket.ts'
import type { Context } from '../../kernel/context.ts'
import { bodyOf } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Email, Name, Text } from '../../kernel/schema/values.ts'
import { readBoth } from '../../records/input/read-both.ts'
import { offeredType } from '../front/portal-front.ts'
import { findSuggestion, noteFiled } from '../knowledge/suggestion.ts'
import { countVisitorTicket } from './visitor-ticket-limit.ts'

// A visitor files a ticket as a requester does: what the request form has, and nothing else. Who they are is what they say, so that the
// address names nobody before it is proven.

const own = Type.Object({
  containerId: Text(36, { description: 'The service desk.' }),
  processId: Type.Optional(Text(36, { description: 'The type; by default that of the desk.' })),
  name: Name(120),
  email: Email,
  session: Type.Optional(Text(1000, { description: 'Of the articles that were suggested for the request.' })),
})
const ownExample = {
  containerId: '01890000-0000-7000-8000-000000000000',
  name: 'Jane Doe',
  email: 'jane@example.com',
}
const ownBody = bodyOf(own, ownExample)

export const visitorTicketSchema: Schema = {
  ...ownBody.schema,
  properties: {
    ...ownBody.schema.properties,
    title: { type: 'string', maxLength: 500 },
    description: { type: 'string', maxLength: 100_000 },
    Field: {
      type: 'array',
      description: 'Values of custom fields, by `fieldId`, `key` or `name`.',
      items: { type: 'object' },
    },
  },
  required: [...(ownBody.schema.required ?? []), 'title'],
  additionalProperties: true,
}
export const visitorTicketExample = { ...ownExample, title: 'The printer does not print' }

interface Request {
  containerId: string
  processId?: string
  name: string
  email: string
  session?: string
}

/** What a visitor has sent: what it is about for them, and the ticket. */
interface VisitorTicket {
  request: Request
  ticket: ReadTicket
}

/** Reads the body, and reports the faults of both parts at once. */
export function readVisitorTicket(body: unknown): VisitorTicket {
  const given = body !== null && typeof body === 'object' && !Array.isArray(body) ? Object.entries(body) : undefined
  if (!given) return { request: ownBody.read(body), ticket: readTicketBody(body, true) }
  const isOwn = ([property]: [string, unknown]) => property in own.properties
  const [request, ticket] = readBoth(
    () => ownBody.read(Object.fromEntries(given.filter(isOwn))),
    () => readTicketBody(Object.fromEntries(given.filter(each => !isOwn(each))), true),
  )
  return { request, ticket }
}

/** Files the ticket, and returns its key and the link by which the visitor follows it; null if there are no links. */
export async function fileVisitorTicket(
  ctx: Context,
  { request, ticket: { item, facet } }: VisitorTicket,
  network: string,
): Promise<{ ticket: string; link: GuestLink | null }> {
  const { containerId, processId } = await offeredType(ctx, { ...request })
  await countVisitorTicket(ctx, containerId, network)
  const { id, patch, others = [], ...more } = item
  const { ticket } = await createTicket(ctx, {
    // An id of one's own would tell which ids are taken.
    item: {
      ...more,
      patch: { ...patch, containerId, processId },
      others: [...others, ...(id ? ['id'] : []), ...Object.keys(facet)],
    },
    facet: { requester: { name: request.name.trim(), email: request.email, unproven: true } },
  })
  const suggestion = await findSuggestion(ctx, request.session ?? '')
  if (suggestion) await noteFiled(ctx, suggestion)
  return { ticket: ticket.key, link: (await guestLink(ctx, ticket, 'toVisitor')) ?? null }
}
