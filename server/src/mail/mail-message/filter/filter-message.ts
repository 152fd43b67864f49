import type { Id } from '../../../kernel/id.ts'
import { isTrusted, stoppedBy } from '../../stop-list/stop-list-match.ts'
import { describeAuthenticity, senderProof, spoofReason } from '../authenticity/authenticity.ts'
import { outcome } from '../mail-message.ts'
import { addStep, type MessageContext, type MessageResult } from '../message-context.ts'
import { readDeliveryReport } from './delivery-report.ts'
import { handleDeliveryReport } from './handle-delivery-report.ts'
import { readSpamHeaders, spamByEarlierTicket } from './spam.ts'

/** Runs the checks before the ticket. Returns a result if one of them ends the processing. */
export async function filterMessage(
  given: MessageContext,
  machine: string | undefined,
): Promise<MessageResult | undefined> {
  const { mail, settings, authenticity, virus, mailbox, released } = given
  const note = (step: string, text: string) => addStep(given, step, text)

  const ours = await ourOwn(given)
  note('own', ours ?? 'not sent by this tenant')
  if (ours) return { outcome: outcome.dropped, reason: ours }
  const twin = await twinOf(given)
  note('duplicate', twin ? `the same as ${twin}` : 'no earlier copy')
  if (twin) return { outcome: outcome.dropped, reason: `the same message came before (${twin})` }

  note('automatic', machine ?? 'a person may have written it')
  const report = readDeliveryReport(mail)
  if (report) return await handleDeliveryReport(given, report)
  note('bounce', 'not a delivery report')

  const sender = mail.from?.address ?? ''
  if (sender === '') {
    note('sender', 'none')
    return { outcome: outcome.quarantined, reason: 'the message does not say who sent it' }
  }
  // A sender whose identity is not proven is not the trusted one.
  const trustedSenders = authenticity.verdict === senderProof.unproven ? [] : settings.trustedSenders
  const stopped = released ? undefined : stoppedBy({ ...settings, trustedSenders }, { sender, subject: mail.subject })
  note('stop list', stopped ?? (released ? 'released from quarantine' : 'passes'))
  if (stopped) return { outcome: outcome.quarantined, reason: stopped }

  const forged = released ? undefined : spoofReason(authenticity, settings.spoofPolicy)
  note('authenticity', describeAuthenticity(authenticity))
  if (forged) return { outcome: outcome.quarantined, reason: forged }

  const infected = virus.name && `the virus scanner found ${virus.name}`
  if (virus.scanned) note('virus', infected ?? 'nothing found')
  // An infected message cannot be released; its bytes can still be downloaded.
  if (infected) return { outcome: outcome.quarantined, reason: infected }

  const spam = mailbox.spamHeaders ? readSpamHeaders(mail) : undefined
  const flagged = spam?.flagged ?? (await spamByEarlierTicket(given))
  note(
    'spam',
    flagged ?? (spam ? `passes${spam.score === undefined ? '' : ` with ${spam.score}`}` : 'no scanner is configured'),
  )
  const passes = released || flagged === undefined || isTrusted(trustedSenders, sender)
  return passes ? undefined : { outcome: outcome.quarantined, reason: flagged }
}

/** Recognizes a mail that we sent ourselves. */
async function ourOwn({ ctx, mail }: MessageContext): Promise<string | undefined> {
  if (mail.messageId === '') return undefined
  const [row] =
    await ctx.sql`select 1 from outbound_mail where tenant_id = ${ctx.caller.tenantId} and message_id = ${mail.messageId}`
  return row && 'the tenant sent this mail itself'
}

async function twinOf({ ctx, id, mailbox, known }: MessageContext): Promise<Id | undefined> {
  const [row] = await ctx.sql<{
    id: Id
  }>`select id from mail_message where tenant_id = ${ctx.caller.tenantId} and mailbox_id = ${mailbox.id}
    and message_id = ${known.slice(0, 998)} and id <> ${id} and outcome not in (${outcome.pending}, ${outcome.failed}) limit 1`
  return row?.id
}
