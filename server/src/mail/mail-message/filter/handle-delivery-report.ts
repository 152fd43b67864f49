import { kindCode } from '../../../desk/annotation/annotation.ts'
import { say } from '../../../desk/annotation/annotation-operations.ts'
import type { Id } from '../../../kernel/id.ts'
import { plainAddress, storable } from '../../address.ts'
import { outboundMails } from '../../outbound-mail/outbound-mail.ts'
import { cameBack } from '../../outbound-mail/send-task.ts'
import { outcome } from '../mail-message.ts'
import { type Case, note, type Settlement } from '../message-context.ts'
import { isPermanent, type Report } from './delivery-report.ts'

/** Believed as far as it names a mail that we sent, and those to whom we sent it. */
export async function reported({ ctx, steps }: Case, { messageIds, recipients }: Report): Promise<Settlement> {
  const [row] = await ctx.sql<{ id: Id }>`select id from outbound_mail
    where tenant_id = ${ctx.caller.tenantId} and message_id = any(${messageIds}::text[]) limit 1`
  const mail = row && (await outboundMails.find(ctx, row.id, { lock: true }))
  if (!mail) {
    note({ steps }, 'bounce', 'a report about nothing that we sent')
    return { outcome: outcome.report, reason: 'a report about nothing that we sent' }
  }
  const meant = new Set([...mail.to, ...mail.cc].map(plainAddress))
  const failed = recipients.filter(each => isPermanent(each) && meant.has(each.address))
  const why = failed.map(({ address, status, diagnostic }) => `${address}: ${status} ${diagnostic}`).join('; ')
  note({ steps }, 'bounce', why || 'nothing that failed for good')
  if (failed.length === 0) return { outcome: outcome.report, itemId: mail.itemId, reason: 'nothing failed for good' }
  await cameBack(
    ctx,
    mail,
    failed.map(({ address }) => address),
    why,
  )
  if (mail.itemId)
    await say(ctx, {
      itemId: mail.itemId,
      kind: kindCode.system,
      body: `The mail could not be delivered. ${storable(why).slice(0, 2000)}`,
      bodyFormat: 'text',
      via: 0,
    })
  return { outcome: outcome.report, itemId: mail.itemId, reason: why }
}
