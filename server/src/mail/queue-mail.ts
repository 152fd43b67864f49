import { cancel, enqueue } from '../engine/dispatch/dispatch.ts'
import { withSystemAuthority } from '../identity/tenant-caller.ts'
import type { Context } from '../kernel/context.ts'
import { appendEvents } from '../kernel/events.ts'
import { type Id, newId } from '../kernel/id.ts'
import { type Fault, fault, Invalid } from '../kernel/refusal.ts'
import { isEmail } from '../kernel/schema/formats.ts'
import { sql } from '../kernel/sql.ts'
import { breaksLine, domainOf, plainAddress } from './address.ts'
import { type MailGeneral, mailSettings } from './mail-general.ts'
import { suppressedAmong } from './mail-suppression.ts'
import { mailboxes, mailboxFor, ownAddresses } from './mailbox/mailbox.ts'
import { exceededQuota, strangerAllowance } from './outbound-mail/mail-quotas.ts'
import {
  mailPurpose,
  mailState,
  type OutboundMail,
  outboundMails,
  type TextAttachment,
} from './outbound-mail/outbound-mail.ts'
import { stoppedDomain } from './stop-list/stop-list-match.ts'
import { isAllowed, strangersAmong } from './strangers.ts'

export { isOverQuota } from './outbound-mail/mail-quotas.ts'

/** A mail to be sent. */
export interface MailInput {
  to: readonly string[]
  cc?: readonly string[]
  subject: string
  /** The content as plain text, and optionally as HTML; both are empty if an annotation holds the content. */
  text?: string
  html?: string
  /** An automatic mail counts against the quotas and is not sent to suppressed addresses. */
  auto: boolean
  /** The addresses come from a configuration: strangers among them are counted and limited to the allowed domains. */
  anyAddress?: boolean
  itemId?: Id
  annotationId?: Id
  templateId?: Id
  mailboxId?: Id
  purpose?: number
  inReplyTo?: string
  /** Makes the mail one that can be unsubscribed from: `key` is passed to the handler of the `topic` (see unsubscribe.ts). */
  list?: { id: string; topic: string; key: string }
  /** Texts that are attached as files and stored with the mail only. */
  attachments?: readonly TextAttachment[]
  /** How long the mail can be cancelled; ms. */
  undo?: number
}

/** The task that sends a mail. */
export const sendMailTaskName = 'send-mail'

/**
 * Queues a mail, which is sent if and only if the transaction commits. Its Message-ID is assigned here, so that receivers
 * recognize a mail that is sent twice after a crash.
 */
export async function queueMail(ctx: Context, input: MailInput): Promise<OutboundMail> {
  refuseUnsendable(input)
  const settings = await mailSettings(ctx)
  const mailbox = input.mailboxId
    ? await mailboxes.find(withSystemAuthority(ctx), input.mailboxId)
    : await mailboxFor(ctx, { itemId: input.itemId ?? '', from: settings.defaultFrom })
  const own = await ownAddresses(ctx)
  // The default address is used unless a mailbox was named or belongs to a container.
  const usual = !input.mailboxId && !mailbox?.containerId && own.has(plainAddress(settings.defaultFrom))
  const from = usual ? settings.defaultFrom : (mailbox?.address ?? '')
  const { to, cc, found } = await recipients(ctx, input, own, settings)
  const counts = input.auto && input.purpose !== mailPurpose.notification
  const nobody = to.length + cc.length === 0 ? (found.stopped ?? 'the mail has no recipients left') : undefined
  const loops = counts && !nobody ? await exceededQuota(ctx, settings.loopQuotas, input.itemId ?? '') : undefined
  const reason = nobody ?? loops
  const id = newId()
  const runAt = new Date(ctx.now.getTime() + (input.undo ?? 0))
  const mail = await outboundMails.create(
    ctx,
    {
      to: to.length > 0 ? to : cc.length > 0 ? [] : [...input.to],
      cc,
      from,
      subject: input.subject.slice(0, 500),
      templateId: input.templateId ?? '',
      itemId: input.itemId ?? '',
      annotationId: input.annotationId ?? '',
      mailboxId: mailbox?.id ?? '',
      purpose: input.purpose ?? mailPurpose.plain,
      auto: input.auto,
      state: reason === undefined ? mailState.queued : mailState.suppressed,
      lastError: reason ?? '',
      nextAttempt: reason === undefined ? runAt.toISOString() : null,
      messageId: `<gantry.${id}@${domainOf(from) || 'localhost'}>`,
      changeSetId: ctx.changeSet,
    },
    {
      id,
      own: {
        body_text: sql`${input.text ?? ''}`,
        body_html: sql`${input.html ?? ''}`,
        in_reply_to: sql`${input.inReplyTo ?? ''}`,
        list: sql`${JSON.stringify(input.list ?? {})}::jsonb`,
        attachments: sql`${JSON.stringify(input.attachments ?? [])}::jsonb`,
        strangers: sql`${found.strangers}::int`,
      },
    },
  )
  if (reason === undefined) await enqueue(ctx, { task: sendMailTaskName, payload: { id }, runAt, key: id })
  else
    await appendEvents(ctx, [
      {
        kind: 'mail.suppressed',
        entity: outboundMails.entity,
        recordId: id,
        changes: { reason: { to: reason }, ...(mail.itemId ? { itemId: { to: mail.itemId } } : {}) },
      },
    ])
  if (found.beyond !== undefined) await ctx.services.onMailLimit(ctx, found.beyond)
  return mail
}

declare module '../kernel/context.ts' {
  interface Services {
    /** Called within the transaction when the daily limit of mails to strangers is reached. */
    onMailLimit: (ctx: Context, limit: number) => Promise<void>
  }
}

/** Cancels the job that sends the mail. */
export async function cancelSend(ctx: Context, id: Id): Promise<void> {
  await cancel(ctx, sendMailTaskName, id)
}

/** Enqueues the job that sends the mail, to run now. */
export async function enqueueSend(ctx: Context, id: Id): Promise<void> {
  await enqueue(ctx, { task: sendMailTaskName, payload: { id }, runAt: ctx.now, key: id })
}

/** Refuses invalid addresses, and line breaks in headers, which would inject another header. */
function refuseUnsendable({ to, cc = [], subject, list }: MailInput): void {
  const faults: Fault[] = []
  for (const [property, addresses] of Object.entries({ to, cc }))
    for (const [i, address] of addresses.entries())
      if (address === '' || address.length > 254 || !isEmail(address) || breaksLine(address))
        faults.push(fault([property, i], 'email', 'must be an e-mail address', address))
  if (breaksLine(subject)) faults.push(fault(['subject'], 'line', 'must be one line', subject))
  if (list && breaksLine(list.id)) faults.push(fault(['list', 'id'], 'line', 'must be one line', list.id))
  if (faults.length > 0) throw new Invalid(faults)
}

/** Returns each recipient once, without the tenant's own addresses and, for automatic mail, without suppressed ones. */
async function recipients(
  ctx: Context,
  { to, cc = [], auto, purpose: what, anyAddress, itemId = '' }: MailInput,
  own: ReadonlySet<string>,
  { domainStopList, mailRecipientDomains }: Pick<MailGeneral, 'domainStopList' | 'mailRecipientDomains'>,
) {
  const seen = new Set<string>()
  const suppressed = auto ? await suppressedAmong(ctx, [...to, ...cc]) : new Map<string, string>()
  const unknown = anyAddress ? await strangersAmong(ctx, [...to, ...cc], itemId) : new Set<string>()
  const { left, limit } = unknown.size > 0 ? await strangerAllowance(ctx) : { left: 0, limit: 0 }
  const found: { strangers: number; beyond?: number; stopped?: string } = { strangers: 0 }
  const outside = (address: string) => {
    if (!unknown.has(address)) return undefined
    if (!isAllowed(mailRecipientDomains, address)) return 'automatic mail to its domain is not allowed'
    if (found.strangers < left) return void found.strangers++
    found.beyond = limit
    return `the daily limit of ${limit} mails to external addresses is reached`
  }
  const passes = (address: string) => {
    const plain = plainAddress(address)
    if (seen.has(plain)) return false
    seen.add(plain)
    const why =
      own.has(plain) && what !== mailPurpose.test
        ? 'it is an address of the tenant itself'
        : (suppressed.get(plain) ??
          (auto && stoppedDomain(domainStopList, plain) ? 'its domain is on the stop list' : outside(plain)))
    if (why) found.stopped ??= `${address}: ${why}`
    return why === undefined
  }
  return { to: to.filter(passes), cc: cc.filter(passes), found }
}
