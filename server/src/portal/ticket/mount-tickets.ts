import type { FastifyInstance } from 'fastify'
import { networkOf } from '../../identity/oauth/sign-in/attempt-limit.ts'
import type { OpenRoutes } from '../../platform/openapi/openapi.ts'
import { fresh, portalPath, type VisitorDoor, type VisitorRequest } from '../visitor/visitor.ts'
import { fileVisitorTicket, readVisitorTicket, visitorTicketExample, visitorTicketSchema } from './visitor-ticket.ts'
import { maxPerDesk, maxPerNetwork } from './visitor-ticket-limit.ts'

/** Mounts the tickets that visitors file. */
export function mountTickets(app: FastifyInstance, enter: VisitorDoor): void {
  app.post(`${portalPath}/ticket`, async (request: VisitorRequest, reply) => {
    const given = readVisitorTicket(request.body)
    const filed = await enter(request, 'write', ctx => fileVisitorTicket(ctx, given, networkOf(request.ip)))
    return fresh(reply).code(201).send(filed)
  })
}

export const ticketRoutes: OpenRoutes = {
  'POST /portal/:slug/ticket': {
    summary: 'File a ticket as a visitor',
    description: `Files a ticket of a type that the portal offers, with the properties that its request form has (\`GET /api/portal/{slug}/form\`); anything else is 403 \`not-on-request-form\`. The requester is the address as it is stated, until it is proven. The link is for whoever filed the ticket, and ends when the address is proven. A network files ${maxPerNetwork} in an hour, and a desk gets ${maxPerDesk} of visitors (429 \`too-many-tickets\`). No credential is needed. Requests are limited by network (429).`,
    body: { schema: visitorTicketSchema, example: visitorTicketExample },
    reply: {
      status: 201,
      description: 'The ticket.',
      schema: {
        type: 'object',
        title: 'FiledVisitorTicket',
        properties: {
          ticket: { type: 'string', description: 'Its key.' },
          link: {
            type: 'object',
            nullable: true,
            description: 'By which the visitor follows it; null if links are switched off.',
            properties: { url: { type: 'string' }, expiresAt: { type: 'string', format: 'date-time' } },
            required: ['url', 'expiresAt'],
          },
        },
        required: ['ticket', 'link'],
      },
    },
    refusals: [400, 403, 404, 422, 429],
  },
}
