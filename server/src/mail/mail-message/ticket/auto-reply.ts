import { contentTemplates } from '../../../containers/content-template/content-template.ts'
import { renderFor } from '../../../desk/template/template.ts'
import type { Id } from '../../../kernel/id.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { oneLine, plainAddress } from '../../address.ts'
import { autoReplyPolicy } from '../../mail-general.ts'
import { mailPurpose } from '../../outbound-mail/outbound-mail.ts'
import { queueMail } from '../../queue-mail.ts'
import { senderProof } from '../authenticity/authenticity.ts'
import type { MessageContext } from '../message-context.ts'

/** Confirms the receipt to the sender: at most once in a while, and never to a machine. Returns what was done, and why. */
export async function sendAutoReply(
  { ctx, mail, mailbox, settings, authenticity, archived }: MessageContext,
  itemId: Id,
  { isNew, machine }: { isNew: boolean; machine: string | undefined },
): Promise<string> {
  const { autoReplyPolicy: policy, autoReplyMinutes } = settings
  if (!mailbox.templateId) return 'the mailbox has no template for replies'
  if (machine !== undefined) return 'the message was sent by a machine'
  // The answer could go to somebody who never wrote to us.
  if (authenticity.verdict === senderProof.unproven) return 'the sender is not proven'
  if (archived) return 'the message was imported from an archive'
  const answers = policy === autoReplyPolicy.everyMessage || (policy === autoReplyPolicy.newTickets && isNew)
  if (!answers) return 'autoReplyPolicy excludes this message'
  const sender = plainAddress(mail.from?.address ?? '')
  const since = new Date(ctx.now.getTime() - autoReplyMinutes * 60_000)
  const [turn] =
    await ctx.sql`insert into mail_auto_reply (tenant_id, address, at) values (${ctx.caller.tenantId}, ${sender}, ${ctx.now})
    on conflict (tenant_id, address) do update set at = excluded.at where mail_auto_reply.at <= ${since} returning 1`
  if (!turn) return `${sender} was answered within the last ${autoReplyMinutes} minutes`
  const template = await contentTemplates.find(ctx, mailbox.templateId)
  if (!template?.active) return 'the template is inactive or deleted'
  try {
    const { subject, text, html } = await renderFor(ctx, template, { itemId })
    const message = {
      to: [sender],
      subject: oneLine(subject, 400) || `Re: ${oneLine(mail.subject, 400)}`,
      text,
      html,
      inReplyTo: mail.messageId,
    }
    const queued = await queueMail(ctx, {
      ...message,
      auto: true,
      itemId,
      mailboxId: mailbox.id,
      templateId: template.id,
      purpose: mailPurpose.autoReply,
    })
    return queued.lastError || `queued as ${queued.id}`
  } catch (error) {
    if (error instanceof Refusal) return `not possible: ${error.message}`
    throw error
  }
}
