import { managers, may, narrowedTo } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { get, list } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { Forbidden, RuleBroken } from '../../kernel/refusal.ts'
import { history } from '../../records/history/history.ts'
import { cancelSend, enqueueSend } from '../queue-mail.ts'
import { dnsCheck } from './dns-check.ts'
import { mailState, type OutboundMail, outboundMails, updateProgress } from './outbound-mail.ts'

const schema = outboundMails.schema

const cancel = operation({
  permission: outboundMails.permissions.update,
  mode: 'write',
  summary: 'Cancel a mail',
  description:
    'Cancels a reply during its waiting time (the setting `mail.undoSeconds`, 10 by default), or a deferred mail. Only its author or a manager may do this. A mail that was sent cannot be cancelled: 422 `too-late`.',
  reply: { status: 200, schema, description: 'The cancelled mail.' },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const before = await requireAuthorOrManager(ctx, params.id ?? '')
    if (before.state === mailState.cancelled) return { body: before, version: before.version }
    const among = [mailState.queued, mailState.deferred]
    // Without a next attempt the mail is being sent, or was when the process died.
    if (before.nextAttempt === null) throw tooLate()
    const mail = await updateProgress(ctx, before.id, {
      among,
      values: { state: mailState.cancelled, nextAttempt: null },
    })
    if (!mail) throw tooLate()
    await cancelSend(ctx, mail.id)
    return { body: mail, version: mail.version }
  },
})

const tooLate = () => new RuleBroken('too-late', 'the mail is being sent or was sent already')

const retry = operation({
  permission: outboundMails.permissions.update,
  mode: 'write',
  summary: 'Send a mail again',
  description:
    'Sends a deferred mail at once, or a bounced, suppressed or cancelled one again. A mail that was sent is refused: 422 `sent`.',
  reply: { status: 200, schema, description: 'The queued mail.' },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const before = await requireAuthorOrManager(ctx, params.id ?? '')
    if (before.state === mailState.sent) throw new RuleBroken('sent', 'the mail was sent')
    const values = { state: mailState.queued, nextAttempt: ctx.now.toISOString(), lastError: '' }
    const mail = await updateProgress(ctx, before.id, { among: [before.state], values })
    if (!mail) throw new RuleBroken('sent', 'the mail was sent')
    await enqueueSend(ctx, mail.id)
    return { body: mail, version: mail.version }
  },
})

/** Only the author of the mail, or a manager, may cancel it or send it again. */
async function requireAuthorOrManager(ctx: Context, id: Id): Promise<OutboundMail> {
  const mail = await outboundMails.get(ctx, id, { lock: true })
  const [said] = mail.annotationId
    ? await ctx.sql<{
        by: Id
      }>`select created_by as by from annotation where tenant_id = ${ctx.caller.tenantId} and id = ${mail.annotationId}`
    : []
  const own = [mail.createdBy, said?.by].includes(ctx.caller.userId)
  if (!own && !may(ctx.caller, narrowedTo(managers, outboundMails.permissions.update)))
    throw new Forbidden('only the author of the mail or a manager may do this')
  return mail
}

export const routes: Routes = {
  'GET /mail/outbound': list(outboundMails),
  'GET /mail/outbound/dns': dnsCheck,
  'GET /mail/outbound/:id': get(outboundMails),
  'GET /mail/outbound/:id/history': history(outboundMails),
  'POST /mail/outbound/:id/cancel': cancel,
  'POST /mail/outbound/:id/retry': retry,
}
