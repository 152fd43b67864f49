import { Type } from 'typebox'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { createAnnotation } from '../../desk/annotation/create-annotation.ts'
import { channel } from '../../desk/channel.ts'
import { type GuestLink, guestLink, isUnproven } from '../../desk/guest/guest.ts'
import { getTicket } from '../../desk/ticket/read-ticket.ts'
import { closeForRequester, rateForRequester, reopenForRequester } from '../../desk/ticket/requester-actions.ts'
import type { Context } from '../../kernel/context.ts'
import { bodyOf } from '../../kernel/operation.ts'
import { LongText } from '../../kernel/schema/values.ts'
import type { Guest } from './find-guest.ts'

// What a guest does: what the requester could do with an account. The context is that of the guest's actor.

const closed = { additionalProperties: false }

export const messageBody = bodyOf(Type.Object({ body: LongText(20_000) }, closed), {
  body: 'It happened again this morning.',
})

export const ratingBody = bodyOf(
  Type.Object({ score: Type.Integer({ minimum: 1, maximum: 5 }), comment: Type.Optional(LongText(5000)) }, closed),
  { score: 5, comment: 'Thank you!' },
)

export const emptyBody = bodyOf(Type.Object({}, closed), {})

/** Writes a message. If the ticket was closed too long ago, returns the link to the follow-up ticket that has the message. */
export async function writeMessage(
  ctx: Context,
  { ticket }: Guest,
  { body }: { body: string },
): Promise<GuestLink | undefined> {
  const { email = '', name = '' } = ticket.requester ?? {}
  const warning = `It is not proven that ${email} wrote this: it is what the requester said.`
  const headers = { from: { address: email, name }, ...(isUnproven(ticket) ? { warning } : {}) }
  const said = await createAnnotation(ctx, {
    itemId: ticket.id,
    kind: annotationKind.message,
    body,
    bodyFormat: 'text',
    via: channel.portal,
    ...(ticket.requesterId ? {} : { mail: { headers } }),
  })
  if (said.itemId === ticket.id) return undefined
  const followUp = await getTicket(ctx, said.itemId, { anywhere: true })
  return await guestLink(ctx, followUp, isUnproven(ticket) ? 'toVisitor' : 'byStaff')
}

export async function close(ctx: Context, { ticket }: Guest): Promise<undefined> {
  await closeForRequester(ctx, ticket)
}

export async function reopen(ctx: Context, { ticket }: Guest): Promise<undefined> {
  await reopenForRequester(ctx, ticket)
}

export async function rate(
  ctx: Context,
  { ticket }: Guest,
  { score, comment = '' }: { score: number; comment?: string },
): Promise<undefined> {
  await rateForRequester(ctx, ticket, { score, comment })
}
