import { annotationKind } from '../../../desk/annotation/annotation.ts'
import { createAnnotation } from '../../../desk/annotation/create-annotation.ts'
import { proveRequester } from '../../../desk/ticket/prove-requester.ts'
import { tickets } from '../../../desk/ticket/ticket.ts'
import { createTicket, readTicketBody } from '../../../desk/ticket/write-ticket.ts'
import { customerOfPerson } from '../../../finance/crm/crm.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { oneLine, plainAddress } from '../../address.ts'
import { applyMailRules } from '../../mail-rules.ts'
import { describeAuthenticity, senderProof } from '../authenticity/authenticity.ts'
import { readSpamHeaders } from '../filter/spam.ts'
import { outcome } from '../mail-message.ts'
import { addStep, type MessageContext, type MessageResult } from '../message-context.ts'
import type { ParsedMail } from '../parsing/parsed-mail.ts'
import type { PreparedMessage } from '../prepared-message.ts'
import { sendAutoReply } from './auto-reply.ts'
import { messageBody } from './message-body.ts'
import { storeAttachments } from './store-attachments.ts'
import { findThread, participationOf, type ThreadMatch } from './thread-match.ts'

export interface TicketOptions {
  /** Whether a new ticket gets the defaults of the mailbox. */
  defaults: boolean
  /** Why the defaults were refused in the first attempt. */
  refused?: string
}

/** Adds the message to the ticket that it belongs to, or creates a new one. */
export async function addToTicket(
  given: MessageContext,
  arrival: PreparedMessage,
  how: TicketOptions,
  machine: string | undefined,
): Promise<MessageResult> {
  const { ctx, mail, mailbox, settings, authenticity } = given
  const believed = authenticity.verdict !== senderProof.unproven
  const match = await threadFor(given)

  const judgement = await applyMailRules(ctx, {
    mailboxId: mailbox.id,
    containerId: mailbox.containerId,
    itemId: match?.itemId ?? '',
    // Rules must not act on a sender whose identity is not proven.
    mail: believed ? mail : { ...mail, from: undefined },
    auto: machine !== undefined,
  })
  addStep(given, 'rules', judgement.drop ?? judgement.note)
  if (judgement.drop) return { outcome: outcome.dropped, reason: judgement.drop }

  const { attachments, html, notes } = await storeAttachments(ctx, arrival, match?.itemId ?? '', settings)
  for (const each of notes) addStep(given, 'attachments', each)
  const words = messageBody({ ...mail, html }, settings)
  const itemId = match?.itemId ?? (await newTicket(given, words.plain, how, judgement.ticket))
  if (match && (await isFromRequester(given, match))) await proveRequester(ctx, match.itemId)
  const said = await createAnnotation(ctx, {
    itemId,
    kind: kindOf(match, machine),
    body: words.body,
    bodyFormat: words.format,
    authorId: believed ? await authorOf(ctx, mail.from?.address ?? '') : '',
    via: 0,
    attachments,
    mail: {
      messageId: mail.messageId.slice(0, 998),
      inReplyTo: (mail.answers[0] ?? '').slice(0, 998),
      to: addresses(mail.to),
      cc: addresses(mail.cc),
      headers: {
        from: mail.from ?? {},
        subject: mail.subject,
        date: mail.date,
        ...(authenticity.by ? { authenticity } : {}),
        ...(believed
          ? {}
          : {
              warning: `It is not proven that ${mail.from?.address} wrote this (${describeAuthenticity(authenticity)}).`,
            }),
      },
    },
  })
  addStep(given, match ? 'append' : 'create', said.itemId)
  for (const each of said.warnings) addStep(given, 'warning', each)
  addStep(given, 'auto-reply', await sendAutoReply(given, said.itemId, { isNew: match === undefined, machine }))
  return { outcome: match ? outcome.appended : outcome.created, itemId: said.itemId, annotationId: said.id }
}

/** The ticket that the message belongs to, if the sender takes part in it and is not known to be forged. */
async function threadFor(given: MessageContext): Promise<ThreadMatch | undefined> {
  const { ctx, mail, own, authenticity } = given
  const sender = mail.from?.address ?? ''
  // Where nothing is checked, the subject is the best evidence there is.
  const bySubject = authenticity.verdict === senderProof.proven || authenticity.by === ''
  const thread = await findThread(ctx, mail, { own, bySubject })
  if (!thread) {
    addStep(given, 'thread', 'a new ticket')
    return undefined
  }
  const why = authenticity.verdict === senderProof.unproven ? `it is not proven that ${sender} wrote it` : undefined
  const part = why ? undefined : await participationOf(ctx, thread.itemId, sender)
  const instead = part ? '' : `; ${why ?? `${sender} takes no part in it`}, so it becomes a new ticket`
  addStep(given, 'thread', `${thread.itemId} by ${thread.by}${instead}`)
  return part ? { ...thread, internal: thread.internal || part === 'internal' } : undefined
}

/** Whether the mail answers one that only the requester got, or is proven to be theirs. */
async function isFromRequester(
  { ctx, mail, authenticity }: MessageContext,
  { itemId, byToken }: ThreadMatch,
): Promise<boolean> {
  const facet = await tickets.find(ctx, itemId)
  const same = plainAddress(facet?.requester?.email ?? '') === plainAddress(mail.from?.address ?? '')
  return same && (authenticity.verdict === senderProof.proven || byToken)
}

const addresses = (mailers: ParsedMail['to']) => mailers.map(({ address }) => address).slice(0, 100)

/** A machine's message neither reopens a ticket nor changes whose turn it is; an answer to a forwarded message stays internal. */
function kindOf(match: ThreadMatch | undefined, machine: string | undefined): number {
  if (match?.internal) return annotationKind.note
  return match && machine !== undefined ? annotationKind.system : annotationKind.message
}

/** Creates the ticket for the sender. Nothing in the mail can set readers, assignees or states. */
async function newTicket(
  given: MessageContext,
  description: string,
  { defaults }: TicketOptions,
  ruled: Record<string, unknown>,
): Promise<Id> {
  const { ctx, mail, mailbox, authenticity, archived } = given
  const requester = { email: mail.from?.address ?? '', name: mail.from?.name ?? '' }
  const believed = authenticity.verdict !== senderProof.unproven
  const customer = believed && defaults ? await customerOfPerson(ctx, requester) : ''
  if (customer) addStep(given, 'customer', customer)
  const score = mailbox.spamHeaders ? readSpamHeaders(mail).score : undefined
  const body = {
    ...(customer ? { crmId: customer } : {}),
    ...(defaults ? mailbox.defaults : {}),
    ...(mailbox.containerId ? { containerId: mailbox.containerId } : {}),
    ...(mailbox.processId ? { processId: mailbox.processId } : {}),
    ...ruled,
    title: oneLine(mail.subject, 500) || '(no subject)',
    description: description.slice(0, 100_000),
    requester: believed ? requester : { ...requester, unproven: true },
    requesterId: undefined,
    channel: 0,
    source: 2,
    mailboxId: mailbox.id,
    ...(score === undefined ? {} : { spamScore: score }),
    ...(mailbox.groupId ? { queueGroupId: mailbox.groupId } : {}),
    ...(archived && mail.date ? { Meta: { created: mail.date } } : {}),
  }
  const stated = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  const { ticket } = await createTicket(ctx, readTicketBody(stated, true))
  return ticket.id
}

async function authorOf(ctx: Context, sender: string): Promise<Id> {
  const [user] = await ctx.sql<{ id: Id }>`select id from "user"
    where tenant_id = ${ctx.caller.tenantId} and lower(email) = ${plainAddress(sender)} and not deleted`
  return user?.id ?? ''
}
