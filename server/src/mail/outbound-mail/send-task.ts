import { Postponed, type Task, type Work } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { OutboundRules } from '../../platform/outbound/outbound.ts'
import { mailSettings } from '../mail-general.ts'
import { suppress } from '../mail-suppression.ts'
import { dkimOf } from '../mailbox/mailbox-servers.ts'
import { storeRefreshToken } from '../mailbox/write-mailbox.ts'
import { sendMailTaskName } from '../queue-mail.ts'
import { describeFailure, type MailServer } from '../transport/mail-server.ts'
import { type StoreRefreshToken, withAccessToken } from '../transport/oauth.ts'
import { type SubmissionResult, submitMail } from '../transport/smtp.ts'
import { type ComposedMail, composeMail, UnsendableMail } from './compose-mail.ts'
import { mailState, type OutboundMail, outboundMails, updateProgress } from './outbound-mail.ts'
import { sendingServer } from './sending-server.ts'

const minute = 60_000

/** The delays after failed attempts. */
const retryDelays = [1, 2, 5, 15, 30, 60, 120, 240].map(minutes => minutes * minute)

/** A mail that could not be sent for this time bounces. */
const maxDeferral = 48 * 60 * minute

const waiting = [mailState.queued, mailState.deferred]

/** Sends a mail. After a crash it may be sent twice with the same Message-ID, but it is never lost. */
export const sendMailTask: Task = {
  name: sendMailTaskName,
  retryDelays: [5000, ...retryDelays], // for internal errors; errors of the mail server postpone the job
  async run(work) {
    const ready = await work.transaction(work.service, ctx => prepare(ctx, String(work.payload.id)))
    if (!ready) return
    const { row, envelope, server, rules } = ready
    if (typeof server === 'string') return await defer(work, row, server)
    let handed: SubmissionResult
    try {
      const keep: StoreRefreshToken = (fresh, used) =>
        work.transaction(work.service, ctx => storeRefreshToken(ctx, row.mailboxId, fresh, used))
      handed = await submitMail(await withAccessToken(server, work.outbound, keep), rules, envelope.mail)
    } catch (error) {
      const code = Number(Reflect.get(Object(error), 'responseCode') ?? 0)
      const command = String(Reflect.get(Object(error), 'command') ?? '')
      // Only a permanent error for the mail itself is final; a rejected sign-in or connection can be repaired.
      if (code < 500 || !/^(MAIL FROM|RCPT TO|DATA)$/.test(command))
        return await defer(work, row, describeFailure(error))
      const addresses = command === 'RCPT TO' ? [...row.to, ...row.cc] : []
      await work.transaction(work.service, ctx => markBounced(ctx, row, addresses, describeFailure(error)))
      return
    }
    await work.transaction(work.service, ctx => sent(ctx, row, handed))
  },
}

interface Ready {
  row: OutboundMail
  envelope: ComposedMail
  /** The server that sends the mail, or the reason why there is none. */
  server: MailServer | string
  rules: OutboundRules
}

async function prepare(ctx: Context, id: Id): Promise<Ready | undefined> {
  const row = await outboundMails.find(ctx, id, { lock: true })
  if (!row || !waiting.some(each => each === row.state)) return undefined
  try {
    const envelope = await composeMail(ctx, row)
    const server = await sendingServer(ctx, envelope.mailbox)
    const { mailbox, mail } = envelope
    const signature = mailbox?.smtp.host ? await dkimOf(ctx, mailbox, row.from) : undefined
    if (signature) mail.dkim = signature
    // From here on the mail can no longer be cancelled.
    if (typeof server !== 'string') await updateProgress(ctx, row.id, { among: waiting, values: { nextAttempt: null } })
    return { row, envelope, server, rules: ctx.services.outboundRules }
  } catch (error) {
    if (!(error instanceof UnsendableMail)) throw error
    const values = { state: mailState.cancelled, nextAttempt: null, lastError: error.message }
    await updateProgress(ctx, row.id, { among: waiting, values })
    return undefined
  }
}

async function defer({ transaction, service }: Work, row: OutboundMail, why: string): Promise<void> {
  const attempts = row.attempts + 1
  const wait = retryDelays[Math.min(attempts, retryDelays.length) - 1] ?? minute
  const kept = await transaction(service, async ctx => {
    if (ctx.now.getTime() + wait - Date.parse(row.created) > maxDeferral) {
      await markBounced(ctx, row, [], `given up after 48 hours: ${why}`)
      return false
    }
    const nextAttempt = new Date(ctx.now.getTime() + wait).toISOString()
    const values = { state: mailState.deferred, attempts, nextAttempt, lastError: why.slice(0, 1000) }
    return (await updateProgress(ctx, row.id, { among: waiting, values })) !== undefined
  })
  if (kept) throw new Postponed(wait, why)
}

async function sent(ctx: Context, row: OutboundMail, { rejected }: SubmissionResult): Promise<void> {
  const values = {
    state: mailState.sent,
    attempts: row.attempts + 1,
    nextAttempt: null,
    sentAt: ctx.now.toISOString(),
    lastError: rejected
      .map(each => `${each.address}: ${each.response}`)
      .join('; ')
      .slice(0, 1000),
    undelivered: rejected.map(each => each.address),
  }
  // A mail that was cancelled during sending has been sent nevertheless, so its state says so.
  await updateProgress(ctx, row.id, { among: [...waiting, mailState.cancelled], values, eventKind: 'mail.sent' })
  for (const { address, response } of rejected.filter(({ code }) => code >= 500))
    await suppressFor(ctx, row, address, response)
}

/** Marks a mail as bounced and suppresses automatic mail to the rejected addresses for some days. */
export async function markBounced(
  ctx: Context,
  row: OutboundMail,
  addresses: readonly string[],
  why: string,
): Promise<void> {
  const values = {
    state: mailState.bounced,
    attempts: row.attempts + 1,
    nextAttempt: null,
    lastError: why.slice(0, 1000),
    undelivered: [...new Set([...row.undelivered, ...addresses])],
  }
  await updateProgress(ctx, row.id, {
    among: [...waiting, mailState.sent, mailState.bounced],
    values,
    eventKind: 'mail.bounced',
  })
  for (const address of addresses) await suppressFor(ctx, row, address, why)
}

async function suppressFor(ctx: Context, row: OutboundMail, address: string, reason: string): Promise<void> {
  const { bounceSuppressDays: days } = await mailSettings(ctx)
  await suppress(ctx, address, { days, reason, outboundMailId: row.id })
}
