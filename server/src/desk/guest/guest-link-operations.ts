import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { demand, members, narrowedTo } from '../../kernel/access.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { annotations } from '../annotation/annotation.ts'
import { getTicket, lockTicket } from '../ticket/read-ticket.ts'
import { changeFacet } from '../ticket/ticket.ts'
import { guestLink } from './guest.ts'

/** Whoever may answer the requester may give them the link. */
const giveLink = narrowedTo(members, annotations.permissions.create)

const create = operation({
  permission: giveLink,
  placed: true,
  mode: 'write',
  unrepeatable: true,
  summary: 'Make a link for the requester',
  description:
    'Returns a link by which the requester follows the ticket without signing in: they read the public conversation and the state, write messages, close and reopen the ticket, and rate it. Mails to the requester alone contain such a link. It is valid for `ticket.guestDays` days (422 `no-guest-links` if that is 0, or if the ticket has no requester), and until the links are revoked.',
  reply: {
    status: 201,
    schema: {
      type: 'object',
      title: 'GuestLink',
      properties: { url: { type: 'string' }, expiresAt: { type: 'string', format: 'date-time' } },
      required: ['url', 'expiresAt'],
    },
    description: 'The link. It is a credential: whoever has it acts as the requester.',
  },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const ticket = await getTicket(ctx, params.id ?? '')
    demand(ctx.caller, giveLink, ticket)
    const link = await guestLink(ctx, ticket)
    if (!link) throw new RuleBroken('no-guest-links', 'the ticket has no requester, or links are switched off')
    return { body: link }
  },
})

const revoke = operation({
  permission: giveLink,
  placed: true,
  mode: 'write',
  summary: 'Revoke the links of the requester',
  description: 'All links to the ticket that were made or mailed until now are not valid any more.',
  reply: { status: 204, description: 'The links are revoked.' },
  refusals: [404],
  async run(ctx, { params }) {
    const ticket = await lockTicket(ctx, params.id ?? '')
    demand(ctx.caller, giveLink, ticket)
    // Whoever may answer need not have the permission to change the ticket.
    await changeFacet(withSystemAuthority(ctx), ticket.id, { linkGeneration: ticket.linkGeneration + 1 })
    return {}
  },
})

export const routes: Routes = { 'POST /ticket/:id/guest-link': create, 'DELETE /ticket/:id/guest-link': revoke }
