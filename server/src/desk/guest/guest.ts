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
}

export interface GuestLink {
  url: string
  expiresAt: string
}

const sealing = 'guest-link'

/** Returns a link to the ticket for its requester; undefined if it has none, or links are switched off. */
export async function guestLink(ctx: Context, ticket: Ticket): Promise<GuestLink | undefined> {
  const who = requesterDigest(ticket)
  const days = await settingOf(ctx, linkDays, { containerId: ticket.containerId })
  if (who === undefined || days === 0) return undefined
  const expires = ctx.now.getTime() + days * 86_400_000
  const claim = [ctx.caller.tenantId, ticket.id, who, ticket.linkGeneration, expires].join('.')
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
  const link = await guestLink(ctx, ticket)
  return link && { url: link.url, language: ticket.language.toLowerCase() }
}

/** Returns a ticket that was closed as done and not rated since, and a link to it for its requester. */
export async function linkForRating(ctx: Context, itemId: Id): Promise<{ ticket: Ticket; url: string } | undefined> {
  const found = await findTicket(ctx, itemId)
  if (!found) return undefined
  const ticket: Ticket = JSON.parse(found.json)
  const isDone = ticket.statusCategory === statusCategory.done && !ticket.spam && !ticket.mergedInto
  const link = isDone && canRate(ticket) ? await guestLink(ctx, ticket) : undefined
  return link && { ticket, url: link.url }
}

/** Reads a token; undefined if it is not one of ours. */
export function readToken(secrets: Secrets, token: string): GuestClaim | undefined {
  if (token.length > 1000) return undefined
  try {
    const [tenantId = '', itemId = '', who = '', generation, expires] = secrets.openText(sealing, token).split('.')
    if (!isId(tenantId) || !isId(itemId)) return undefined
    return { tenantId, itemId, who, generation: Number(generation), expires: Number(expires) }
  } catch (error) {
    if (error instanceof UnsealFailed) return undefined
    throw error
  }
}

/** Whether the link is still valid for the ticket as it is now. */
export function isValid({ who, generation, expires }: GuestClaim, ticket: Ticket, now: Date): boolean {
  return expires > now.getTime() && generation === ticket.linkGeneration && who === requesterDigest(ticket)
}

/** A short digest of the requester: the user, else the address. */
export function requesterDigest({ requesterId, requester }: Ticket): string | undefined {
  const who = requesterId || requester?.email?.trim().toLowerCase()
  return who ? createHash('sha256').update(who).digest('base64url').slice(0, 16) : undefined
}
