import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { breaksLine, plainAddress } from '../address.ts'
import { mailSettings } from '../mail-general.ts'
import { type Mailbox, mailboxFor, ownAddresses } from '../mailbox/mailbox.ts'
import { isSecurity } from '../mailbox/mailbox-findings.ts'
import { smtpOf } from '../mailbox/mailbox-servers.ts'
import type { MailServer } from '../transport/mail-server.ts'

/** Returns the server that sends the mails of a mailbox, or the reason why there is none. */
export async function sendingServer(ctx: Context, mailbox: Mailbox | undefined): Promise<MailServer | string> {
  if (mailbox?.smtp.host && !isSecurity(mailbox.smtp.security))
    return 'the mailbox has no valid security setting for its SMTP server'
  const own = mailbox && (await smtpOf(ctx, mailbox))
  if (own) return own
  const { relay } = ctx.services.outboundRules
  if (relay) return { ...relay, ours: true }
  if (!mailbox) return 'there is no mailbox to send from: create one, or ask the operator to set SMTP_URL and MAIL_FROM'
  return `the mailbox ${mailbox.address} has no SMTP server, and the installation has none either (SMTP_URL)`
}

/** Returns those of the addresses that get a mail about the item; none of them if no mail server sends for it. */
export async function mailableAmong(given: Context, itemId: Id, addresses: readonly string[]): Promise<string[]> {
  const ctx = withSystemAuthority(given)
  const { defaultFrom } = await mailSettings(ctx)
  const server = await sendingServer(ctx, await mailboxFor(ctx, { itemId, from: defaultFrom }))
  if (typeof server === 'string') return []
  const own = await ownAddresses(ctx)
  return addresses.filter(address => !breaksLine(address) && !own.has(plainAddress(address)))
}
