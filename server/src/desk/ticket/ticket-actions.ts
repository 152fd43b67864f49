import { changeItem } from '../../items/change/change.ts'
import type { ItemPatch } from '../../items/item-body/item-body.ts'
import { isClosed, statusCategory } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { Forbidden, fault, RuleBroken } from '../../kernel/refusal.ts'
import { annotationKind } from '../annotation/annotation.ts'
import { createAnnotation } from '../annotation/create-annotation.ts'
import { refuseBadRecipients } from '../annotation/recipient-addresses.ts'
import { reopen } from './follow-up.ts'
import { lockTicket } from './read-ticket.ts'
import {
  actsAsRequester,
  closedStatus,
  closeForRequester,
  demandOwnTicket,
  rateForRequester,
  reopenForRequester,
} from './requester-actions.ts'
import { changeFacet, type Ticket, waitingParty } from './ticket.ts'

// The actions on tickets. Each locks the ticket first, so that concurrent actions run one after the other.

interface ReplyInput {
  /** Of the annotation. */
  id?: Id | null
  body: string
  bodyFormat?: string
  to?: string[]
  cc?: string[]
  internal?: boolean
  status?: string
  waitingOn?: number
  attachments?: Id[]
  replyToId?: Id
}

/** Writes a public reply or an internal note, and may change the status in the same transaction. */
export async function reply(
  ctx: Context,
  id: Id,
  { id: own = null, body, bodyFormat, to, cc, internal, status, waitingOn, attachments, replyToId }: ReplyInput,
): Promise<string[]> {
  refuseBadRecipients({ ...(to ? { to } : {}), ...(cc ? { cc } : {}) })
  const ticket = await lockTicket(ctx, id)
  const { warnings } = await createAnnotation(ctx, {
    id: own,
    itemId: ticket.id,
    kind: internal ? annotationKind.note : annotationKind.reply,
    body,
    ...(bodyFormat ? { bodyFormat } : {}),
    ...(attachments ? { attachments } : {}),
    ...(replyToId ? { replyToId } : {}),
    ...(to || cc ? { mail: { ...(to ? { to } : {}), ...(cc ? { cc } : {}) } } : {}),
  })
  await changeStatus(ctx, ticket, status === undefined ? {} : { status }, warnings)
  if (waitingOn !== undefined) await changeFacet(ctx, ticket.id, { waitingOn })
  return warnings
}

async function changeStatus(ctx: Context, { id }: Ticket, patch: ItemPatch, warnings: string[] = []): Promise<void> {
  if (Object.keys(patch).length > 0) await changeItem(ctx, id, { patch, warnings })
}

/**
 * Forwards the ticket to somebody outside. The text is stored as an internal note with its recipients, hidden from the
 * requester.
 */
export async function forward(ctx: Context, id: Id, { to, body }: { to: string[]; body: string }): Promise<string[]> {
  refuseBadRecipients({ to })
  const ticket = await lockTicket(ctx, id)
  const said = await createAnnotation(ctx, { itemId: ticket.id, kind: annotationKind.note, body, mail: { to } })
  // The event belongs to the note and not to the ticket, because the requester may read the ticket’s history.
  await appendEvents(ctx, [
    {
      kind: 'ticket.forwarded',
      entity: 'Annotation',
      recordId: said.id,
      changes: { to: { to }, itemId: { to: ticket.id } },
    },
  ])
  await changeFacet(ctx, ticket.id, { waitingOn: waitingParty.thirdParty })
  return said.warnings
}

/** Hides the ticket from the queue until a point in time, or until the requester writes. */
export async function snooze(ctx: Context, id: Id, until: string | null): Promise<void> {
  const ticket = await lockTicket(ctx, id)
  if (until !== null && Date.parse(until) <= ctx.now.getTime())
    throw new RuleBroken('until-past', 'a ticket is snoozed until a time in the future', [
      fault(['until'], 'until-past', 'must be in the future', until),
    ])
  await changeFacet(ctx, ticket.id, { snoozedUntil: until })
}

interface CloseInput {
  status?: string
  resolution?: string
}

export async function closeTicket(ctx: Context, id: Id, given: CloseInput): Promise<void> {
  const ticket = await lockTicket(ctx, id)
  if (actsAsRequester(ctx, ticket)) {
    demandOwnTicket(ctx, ticket, given)
    return await closeForRequester(ctx, ticket)
  }
  const { status, resolution } = given
  const said: ItemPatch = { ...(resolution === undefined ? {} : { resolution }) }
  if (status !== undefined)
    return await changeStatus(ctx, ticket, { ...said, status, statusCategory: statusCategory.done })
  if (isClosed(ticket.statusCategory)) return await changeStatus(ctx, ticket, said)
  await changeStatus(ctx, ticket, {
    ...said,
    status: await closedStatus(ctx, ticket),
    statusCategory: statusCategory.done,
  })
}

export async function reopenTicket(ctx: Context, id: Id): Promise<void> {
  const ticket = await lockTicket(ctx, id)
  if (actsAsRequester(ctx, ticket)) {
    demandOwnTicket(ctx, ticket)
    return await reopenForRequester(ctx, ticket)
  }
  if (isClosed(ticket.statusCategory)) await reopen(ctx, ticket.id, { force: false })
}

/** Closes spam, whatever the workflow says, and reopens a ticket that turns out to be no spam. */
export async function markSpam(ctx: Context, id: Id, spam: boolean): Promise<void> {
  const ticket = await lockTicket(ctx, id)
  if (spam === ticket.spam) return
  if (spam && !isClosed(ticket.statusCategory))
    await changeItem(
      ctx,
      ticket.id,
      { patch: { status: 'Spam', statusCategory: statusCategory.cancelled, resolution: 'spam' }, warnings: [] },
      { force: true },
    )
  if (!spam && isClosed(ticket.statusCategory)) await reopen(ctx, ticket.id)
  await changeFacet(ctx, ticket.id, { spam })
}

/** Stores the requester’s rating. Nobody else may rate a ticket. */
export async function rate(
  ctx: Context,
  id: Id,
  { score, comment = '' }: { score: number; comment?: string },
): Promise<void> {
  const ticket = await lockTicket(ctx, id)
  if (ctx.caller.userId !== (ticket.requesterId || ticket.createdBy))
    throw new Forbidden('only the requester may rate the ticket')
  await rateForRequester(ctx, ticket, { score, comment })
}
