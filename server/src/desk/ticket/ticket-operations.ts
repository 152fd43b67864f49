import { itemPriority } from '../../containers/item-property/priority.ts'
import { demandForce, forceQuery } from '../../items/change/change.ts'
import { type Item, items } from '../../items/item/item.ts'
import { effectsQuery } from '../../items/item-body/item-body.ts'
import { includeQuery, listedSchema, readInclude, withParts } from '../../items/item-parts.ts'
import type { Context } from '../../kernel/context.ts'
import { idOf, list, remove, restore } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import { answerList } from '../../kernel/list/list-operation.ts'
import { type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { type Expect, expectVersion } from '../../kernel/record/record.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { sql } from '../../kernel/sql.ts'
import { eventSchema, historyOf, historyQuery } from '../../records/history/history.ts'
import { channel } from '../channel.ts'
import { findTicket, getTicket, readTickets, ticketSchema } from './read-ticket.ts'
import { tickets, waitingParty } from './ticket.ts'
import { ticketActionRoutes, ticketReply, withWarnings } from './ticket-action-operations.ts'
import { createSchema, type ReadTicket, readTicketBody, updateSchema } from './ticket-body.ts'
import { changeTicket, createTicket } from './write-ticket.ts'

// A ticket is an item: the permissions for items apply to tickets.

const stockList = list(items)
const listTickets: Operation = {
  ...stockList,
  summary: 'List tickets',
  description: `${tickets.about} Returns all tickets as one array; \`limit\` turns paging on. Any scalar property of the item or the ticket can be used as a filter by its name.`,
  query: {
    ...stockList.query,
    queue: { type: 'string', description: 'The id of the group whose queue holds the tickets.' },
    assignee: { type: 'string', description: 'The assignees: ids of users, or `@me`.' },
    include: includeQuery,
  },
  reply: { ...stockList.reply, schema: { type: 'array', items: listedSchema(ticketSchema) } },
  async run(ctx, input) {
    const { queue, assignee, include, ...query } = input.query
    const wanted = readInclude(include)
    const listing = await readTickets(ctx, {
      ...query,
      ...(queue === undefined ? {} : { queueGroupId: queue }),
      ...(assignee === undefined ? {} : { assignees: assignee }),
    })
    return await withParts(ctx, wanted, await answerList(ctx, listing, input))
  },
}

const get = operation({
  permission: items.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Get one ticket',
  description: `${tickets.about} A ticket has the id of its item. An item that is not on a service desk is no ticket (404).`,
  query: { deleted: { type: 'string', enum: ['include'] } },
  reply: { status: 200, schema: ticketSchema, description: 'The ticket.' },
  refusals: [404],
  async run(ctx, { params, query }) {
    const found = await findTicket(ctx, params.id ?? '', { deleted: query.deleted === 'include' })
    if (!found) throw new NotFound()
    return { text: found.json, version: found.version }
  },
})

const create = operation<ReadTicket>({
  permission: items.permissions.create,
  placed: true,
  mode: 'write',
  summary: 'Create a ticket',
  description:
    'The properties of the item and of the ticket. Without `containerId` the ticket is created on the tenant’s first service desk. `requester` is a user (`userId`, or a user’s `email`), or an address and a name. If a requester creates the ticket, they are its requester and set what the request form of the desk has (the screen for the portal); anything else is refused with 403 `not-on-request-form`.',
  body: {
    schema: createSchema,
    read: (body, options) => readTicketBody(body, true, options),
    example: {
      title: 'My screen stays dark',
      requester: { email: 'rita@example.com', name: 'Rita' },
      channel: channel.phone,
    },
  },
  reply: { status: 201, schema: withWarnings, description: 'The ticket.' },
  also: { 200: 'A ticket with this external id existed and was updated.' },
  refusals: [413, 422],
  query: effectsQuery,
  async run(ctx, input) {
    const { item, facet } = input.body
    const written = await createTicket(ctx, { item: { ...item, effects: input.query.effects === 'all' }, facet })
    if (written.outcome !== 'created') return { ...ticketReply(written), status: 200 }
    return { ...ticketReply(written), headers: { location: `${input.path}/${written.ticket.id}` } }
  },
})

const update = operation<ReadTicket>({
  permission: items.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Update a ticket',
  description:
    'Merges the properties of the item and of the ticket in one transaction. If the item moves to a project, its ticket properties are kept and apply again when it returns to a desk.',
  body: {
    schema: updateSchema,
    read: (body, options) => readTicketBody(body, false, options),
    example: { priority: itemPriority.urgent, waitingOn: waitingParty.thirdParty },
  },
  query: forceQuery,
  reply: { status: 200, schema: withWarnings, description: 'The ticket as it is now.' },
  refusals: [404, 412, 413, 422],
  async run(ctx, input) {
    const force = demandForce(ctx.caller, input.query)
    return ticketReply(await changeTicket(ctx, idOf(input), input.body, { expect: input.expect, force }))
  },
})

async function removeTicket(ctx: Context, id: Id, { expect }: { expect?: Expect }): Promise<Item> {
  expectVersion(await getTicket(ctx, id), expect)
  return await items.remove(ctx, id)
}

const restoration = restore(items)
const restoreTicket: Operation = {
  ...restoration,
  summary: 'Restore a deleted ticket',
  reply: { ...restoration.reply, schema: ticketSchema },
  async run(ctx, { params }) {
    const { id } = await getTicket(ctx, params.id ?? '', { deleted: true })
    await items.restore(ctx, id)
    const ticket = await getTicket(ctx, id)
    return { body: ticket, version: ticket.version }
  },
}

/**
 * The events of the item and of its ticket properties. The creation of the ticket row is left out, because the item’s
 * own creation is listed.
 */
const history = operation({
  permission: items.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'History of a ticket',
  description: 'Every change of the item and its ticket properties, oldest first.',
  reply: { status: 200, schema: { type: 'array', items: eventSchema }, description: 'The events of the ticket.' },
  refusals: [404, 422],
  query: historyQuery,
  async run(ctx, { params, query }) {
    const ticket = await getTicket(ctx, params.id ?? '', { deleted: true })
    const events = sql`e.record_id = ${ticket.id} and (e.entity = 'Item' or (e.entity = 'Ticket' and e.kind <> 'ticket.created'))`
    return await historyOf(ctx, { entity: tickets.entity, schema: ticketSchema }, query, ticket, events)
  },
})

export const routes: Routes = {
  'GET /ticket': listTickets,
  'POST /ticket': create,
  'PUT /ticket': update,
  'GET /ticket/:id': get,
  'PUT /ticket/:id': update,
  'PATCH /ticket/:id': update,
  'DELETE /ticket/:id': { ...remove(items, removeTicket), summary: 'Delete a ticket' },
  'POST /ticket/:id/restore': restoreTicket,
  'GET /ticket/:id/history': history,
  ...ticketActionRoutes,
}
