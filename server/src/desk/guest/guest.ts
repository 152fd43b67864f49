import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { statusCategory } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Secrets, UnsealFailed } from '../../platform/secrets.ts'
import { setting, settingOf } from '../../platform/setting.ts'
import { findTicket } from '../ticket/read-ticket.ts'
import { canRate } from '../ticket/requester-actions.ts'
import type { Ticket } from '../ticket/ticket.ts'

// A guest is a requester who follows one ticket by a link, without signing in. The link is sealed and names the ticket and the
// requester, so that nothing about it is stored. It ends with its time, when the ticket gets another requester, and when the links of
// the ticket are revoked.

const linkDays = setting('ticket.guestDays', {
  schema: Type.Integer({ minimum: 0, maximum: 365 }),
  default: 30,
  scopes: ['tenant', 'container'],
  description:
    'The number of days for which the link in a mail lets a requester follow their ticket without signing in; 0 for no such links.',
})

/** The path of the page; the token follows. */
export const guestPath = '/request'

/** What a link says. */
export interface GuestClaim {
  tenantId: Id
  itemId: Id
  /** A digest of who the requester was when the link was made. */
  who: string
  generation: number
  /** ms */
  expires: number
  how: string
}

/**
 * How a link was given. One in a mail proves the address, as soon as its reader writes. One that a visitor got for the address that they
 * stated ends when the address is proven, or staff say whose it is: it may be another's.
 */
const given = { byStaff: '', inMail: 'mail', toVisitor: 'visitor' } as const
export const provesAddress = ({ how }: GuestClaim) => how === given.inMail

export interface GuestLink {
  url: string
  expiresAt: string
}

const sealing = 'guest-link'

/** Returns a link to the ticket for its requester; undefined if it has none, or links are switched off. */
export async function guestLink(
  ctx: Context,
  ticket: Ticket,
  how: keyof typeof given = 'byStaff',
): Promise<GuestLink | undefined> {
  const who = requesterDigest(ticket)
  const days = await settingOf(ctx, linkDays, { containerId: ticket.containerId })
  if (who === undefined || days === 0) return undefined
  const expires = ctx.now.getTime() + days * 86_400_000
  const claim = [ctx.caller.tenantId, ticket.id, who, ticket.linkGeneration, expires, given[how]].join('.')
  return {
    url: `${ctx.services.baseUrl}${guestPath}/${ctx.services.secrets.sealText(sealing, claim)}`,
    expiresAt: new Date(expires).toISOString(),
  }
}

/** The same for a mail, which must go to the requester alone: whoever has the link acts as the requester. */
export async function guestLinkInMail(
  ctx: Context,
  itemId: Id,
  recipients: readonly string[],
): Promise<{ url: string; language: string } | undefined> {
  const found = await findTicket(ctx, itemId, { anywhere: true })
  if (!found) return undefined
  const ticket: Ticket = JSON.parse(found.json)
  const [only, ...more] = recipients
  if (more.length > 0 || only?.toLowerCase() !== ticket.requester?.email?.toLowerCase()) return undefined
  const link = await guestLink(ctx, ticket, 'inMail')
  return link && { url: link.url, language: ticket.language.toLowerCase() }
}

/** Returns a ticket that was closed as done and not rated since, and a link to it for its requester. */
export async function linkForRating(ctx: Context, itemId: Id): Promise<{ ticket: Ticket; url: string } | undefined> {
  const found = await findTicket(ctx, itemId)
  if (!found) return undefined
  const ticket: Ticket = JSON.parse(found.json)
  const isDone = ticket.statusCategory === statusCategory.done && !ticket.spam && !ticket.mergedInto
  const link = isDone && canRate(ticket) ? await guestLink(ctx, ticket, 'inMail') : undefined
  return link && { ticket, url: link.url }
}

/** Reads a token; undefined if it is not one of ours. */
export function readToken(secrets: Secrets, token: string): GuestClaim | undefined {
  if (token.length > 1000) return undefined
  try {
    const [tenantId = '', itemId = '', who = '', generation, expires, how = ''] = secrets
      .openText(sealing, token)
      .split('.')
    if (!isId(tenantId) || !isId(itemId)) return undefined
    return { tenantId, itemId, who, generation: Number(generation), expires: Number(expires), how }
  } catch (error) {
    if (error instanceof UnsealFailed) return undefined
    throw error
  }
}

/** Whether the link is still valid for the ticket as it is now. */
export function isValid({ who, generation, expires, how }: GuestClaim, ticket: Ticket, now: Date): boolean {
  if (expires <= now.getTime() || generation !== ticket.linkGeneration) return false
  if (how === given.toVisitor && !isUnproven(ticket)) return false
  if (who === requesterDigest(ticket)) return true
  // The requester was an address, and turned out to be a user who has it.
  const address = addressOf(ticket)
  return how === given.inMail && address !== undefined && who === digestOf(address)
}

/** Whether nobody knows that the requester has the address that they stated. */
export const isUnproven = ({ requesterId, requester }: Ticket) => !requesterId && requester?.unproven === true

/** A short digest of the requester: the user, else the address. */
function requesterDigest(ticket: Ticket): string | undefined {
  const who = ticket.requesterId || addressOf(ticket)
  return who ? digestOf(who) : undefined
}

const addressOf = ({ requester }: Ticket) => requester?.email?.trim().toLowerCase()
const digestOf = (who: string) => createHash('sha256').update(who).digest('base64url').slice(0, 16)
