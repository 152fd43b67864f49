import type { Context } from '../../kernel/context.ts'
import { readSecret } from '../../platform/secrets.ts'
import { domainOf } from '../address.ts'
import { isRelated } from '../mail-message/authenticity/authenticity.ts'
import { type MailServer, type OAuthGrant, portOf } from '../transport/mail-server.ts'
import type { Mailbox } from './mailbox.ts'

/** Returns the IMAP server with its decrypted credentials, which must not be stored or logged. */
export async function imapOf(ctx: Context, mailbox: Mailbox): Promise<MailServer | undefined> {
  const { host = '', user = '', security = 0 } = mailbox.imap
  if (host === '') return undefined
  const place = { host, port: portOf('imap', mailbox.imap), security, user: user || mailbox.address }
  if (mailbox.auth === 'oauth') return { ...place, password: '', grant: await grantOf(ctx, mailbox) }
  return { ...place, password: (await readSecret(ctx, mailbox.id, 'password')) ?? '' }
}

/** Returns the SMTP server of the mailbox, or undefined if it has none of its own. */
export async function smtpOf(ctx: Context, mailbox: Mailbox): Promise<MailServer | undefined> {
  const { host = '', user = '', security = 0 } = mailbox.smtp
  if (host === '') return undefined
  const place = { host, port: portOf('smtp', mailbox.smtp), security, user }
  const own = await readSecret(ctx, mailbox.id, 'smtpPassword')
  if (mailbox.auth === 'oauth' && own === undefined)
    return { ...place, user: user || mailbox.address, password: '', grant: await grantOf(ctx, mailbox) }
  return { ...place, password: own ?? (await readSecret(ctx, mailbox.id, 'password')) ?? '' }
}

async function grantOf(ctx: Context, { id, oauth }: Mailbox): Promise<OAuthGrant> {
  const { tokenUrl = '', clientId = '', scope = '' } = oauth
  const [clientSecret = '', refreshToken = ''] = [
    await readSecret(ctx, id, 'clientSecret'),
    await readSecret(ctx, id, 'refreshToken'),
  ]
  return { tenantId: ctx.caller.tenantId, mailboxId: id, tokenUrl, clientId, scope, clientSecret, refreshToken }
}

/** Returns the DKIM key for a sender, or undefined if none is set up or its domain does not match the address. */
export async function dkimOf(ctx: Context, { id, dkim }: Mailbox, sender: string) {
  const { domain = '', selector = '' } = dkim
  if (domain === '' || selector === '' || !isRelated(domain.toLowerCase(), domainOf(sender))) return undefined
  const privateKey = await readSecret(ctx, id, 'dkimKey')
  return privateKey === undefined ? undefined : { domainName: domain, keySelector: selector, privateKey }
}
