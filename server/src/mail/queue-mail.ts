import { cancel, enqueue } from '../engine/dispatch/dispatch.ts'
import type { Context } from '../kernel/context.ts'
import { append } from '../kernel/events.ts'
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
import { stoppedDomain } from './stop-list-match.ts'
import { isAllowed, strangersAmong } from './strangers.ts'

export { isOverQuota } from './outbound-mail/mail-quotas.ts'

/** A mail that somebody wants to have sent. */
export interface MailInput {
  to: readonly string[]
  cc?: readonly string[]
  subject: string
  /** The words as plain text, and as HTML if there is more to show; neither where an annotation says them. */
  text?: string
  html?: string
  /** Sent by itself: then it is counted, and not sent to who must not get such mail. */
  auto: boolean
  /** Its addresses are whatever somebody wrote down once: those of nobody here are counted, and kept to the domains that are allowed. */
  anyAddress?: boolean
  itemId?: Id
  annotationId?: Id
  templateId?: Id
  mailboxId?: Id
  purpose?: number
  inReplyTo?: string
  /** A mail that one can have no more of: `key` is handed to whoever takes back the `topic` (see unsubscribe.ts). */
  list?: { id: string; topic: string; key: string }
  /** Texts that come along as files, and are kept with the mail alone. */
  attachments?: readonly TextAttachment[]
  /** How long it can be taken back; ms. */
  undo?: number
}

/** The name of the task that sends. */
export const sendMailTaskName = 'send-mail'

/**
 * Has a mail sent, if and only if the transaction commits. Its Message-ID is given here and stays: whatever is sent twice
 * after a crash is known to be the same.
 */
export async function queueMail(ctx: Context, wish: MailInput): Promise<OutboundMail> {
  refuseUnsendable(wish)
  const settings = await mailSettings(ctx)
  const mailbox = wish.mailboxId
    ? await mailboxes.find(ctx, wish.mailboxId)
    : await mailboxFor(ctx, { itemId: wish.itemId ?? '', from: settings.defaultFrom })
  const own = await ownAddresses(ctx)
  // The usual address speaks where no mailbox has a reason to speak for itself.
  const usual = !wish.mailboxId && !mailbox?.containerId && own.has(plainAddress(settings.defaultFrom))
  const from = usual ? settings.defaultFrom : (mailbox?.address ?? '')
  const { to, cc, found } = await recipients(ctx, wish, own, settings)
  const counts = wish.auto && wish.purpose !== mailPurpose.notification
  const nobody = to.length + cc.length === 0 ? (found.stopped ?? 'nobody is left to send it to') : undefined
  const loops = counts && !nobody ? await exceededQuota(ctx, settings.loopQuotas, wish.itemId ?? '') : undefined
  const reason = nobody ?? loops
  const id = newId()
  const runAt = new Date(ctx.now.getTime() + (wish.undo ?? 0))
  const mail = await outboundMails.create(
    ctx,
    {
      to: to.length > 0 ? to : cc.length > 0 ? [] : [...wish.to],
      cc,
      from,
      subject: wish.subject.slice(0, 500),
      templateId: wish.templateId ?? '',
      itemId: wish.itemId ?? '',
      annotationId: wish.annotationId ?? '',
      mailboxId: mailbox?.id ?? '',
      purpose: wish.purpose ?? mailPurpose.plain,
      auto: wish.auto,
      state: reason === undefined ? mailState.queued : mailState.suppressed,
      lastError: reason ?? '',
      nextAttempt: reason === undefined ? runAt.toISOString() : null,
      messageId: `<gantry.${id}@${domainOf(from) || 'localhost'}>`,
      changeSetId: ctx.changeSet,
    },
    {
      id,
      own: {
        body_text: sql`${wish.text ?? ''}`,
        body_html: sql`${wish.html ?? ''}`,
        in_reply_to: sql`${wish.inReplyTo ?? ''}`,
        list: sql`${JSON.stringify(wish.list ?? {})}::jsonb`,
        attachments: sql`${JSON.stringify(wish.attachments ?? [])}::jsonb`,
        strangers: sql`${found.strangers}::int`,
      },
    },
  )
  if (reason === undefined) await enqueue(ctx, { task: sendMailTaskName, payload: { id }, runAt, key: id })
  else
    await append(ctx, [
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
    /** Hears within the transaction that no more strangers may be written to for now. */
    onMailLimit: (ctx: Context, limit: number) => Promise<void>
  }
}

/** Takes it back while it can be. */
export async function cancelSend(ctx: Context, id: Id): Promise<void> {
  await cancel(ctx, sendMailTaskName, id)
}

/** Sends it again, from now on. */
export async function enqueueSend(ctx: Context, id: Id): Promise<void> {
  await enqueue(ctx, { task: sendMailTaskName, payload: { id }, runAt: ctx.now, key: id })
}

/** A line break in a header would be another header. */
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

/** Each once, never ourselves, and of what is sent by itself nobody who must not get it. */
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
    if (!isAllowed(mailRecipientDomains, address)) return 'its domain is none that mail may go to by itself'
    if (found.strangers < left) return void found.strangers++
    found.beyond = limit
    return `${limit} mails to addresses outside have gone out within a day`
  }
  const passes = (address: string) => {
    const plain = plainAddress(address)
    if (seen.has(plain)) return false
    seen.add(plain)
    const why =
      own.has(plain) && what !== mailPurpose.test
        ? 'it is an address of our own'
        : (suppressed.get(plain) ??
          (auto && stoppedDomain(domainStopList, plain) ? 'its domain is on the stop list' : outside(plain)))
    if (why) found.stopped ??= `${address}: ${why}`
    return why === undefined
  }
  return { to: to.filter(passes), cc: cc.filter(passes), found }
}
