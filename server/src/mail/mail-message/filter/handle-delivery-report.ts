import { annotationKind } from '../../../desk/annotation/annotation.ts'
import { createAnnotation } from '../../../desk/annotation/create-annotation.ts'
import type { Id } from '../../../kernel/id.ts'
import { plainAddress, storable } from '../../address.ts'
import { outboundMails } from '../../outbound-mail/outbound-mail.ts'
import { markBounced } from '../../outbound-mail/send-task.ts'
import { outcome } from '../mail-message.ts'
import { addStep, type MessageContext, type MessageResult } from '../message-context.ts'
import { type DeliveryReport, isPermanent } from './delivery-report.ts'

/** Handles a delivery report. It is trusted only for a mail that we sent, and for its recipients. */
export async function handleDeliveryReport(
  { ctx, steps }: MessageContext,
  { messageIds, recipients }: DeliveryReport,
): Promise<MessageResult> {
  const [row] = await ctx.sql<{ id: Id }>`select id from outbound_mail
    where tenant_id = ${ctx.caller.tenantId} and message_id = any(${messageIds}::text[]) limit 1`
  const mail = row && (await outboundMails.find(ctx, row.id, { lock: true }))
  if (!mail) {
    addStep({ steps }, 'bounce', 'a report about a mail that was not sent from here')
    return { outcome: outcome.report, reason: 'a report about a mail that was not sent from here' }
  }
  const meant = new Set([...mail.to, ...mail.cc].map(plainAddress))
  const failed = recipients.filter(each => isPermanent(each) && meant.has(each.address))
  const why = failed.map(({ address, status, diagnostic }) => `${address}: ${status} ${diagnostic}`).join('; ')
  addStep({ steps }, 'bounce', why || 'no permanent failure')
  if (failed.length === 0) return { outcome: outcome.report, itemId: mail.itemId, reason: 'no permanent failure' }
  await markBounced(
    ctx,
    mail,
    failed.map(({ address }) => address),
    why,
  )
  if (mail.itemId)
    await createAnnotation(ctx, {
      itemId: mail.itemId,
      kind: annotationKind.system,
      body: `The mail could not be delivered. ${storable(why).slice(0, 2000)}`,
      bodyFormat: 'text',
      via: 0,
    })
  return { outcome: outcome.report, itemId: mail.itemId, reason: why }
}
