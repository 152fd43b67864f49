import { deskKind } from '../../desk/ticket/ticket.ts'
import type { Context } from '../../kernel/context.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { domainOf } from '../address.ts'
import { isRelated } from '../mail-message/authenticity/authenticity.ts'
import { mailSecurity } from '../transport/mail-server.ts'
import type { Mailbox } from './mailbox-shape.ts'

/** What of a mailbox does nothing, and what is missing for it to do something. */
export async function mailboxFindings(mailbox: Mailbox, ctx: Context): Promise<Finding[]> {
  return [...fetchObstacles(mailbox), ...(await wayOut(mailbox, ctx))]
}

/** Why a mailbox is not read. */
export function fetchObstacles({ protocol, auth, imap, password, active, ...mailbox }: Mailbox): Finding[] {
  const found: Finding[] = []
  const tell = (path: string, code: string, message: string) => found.push({ path, code, message })
  if (protocol !== 0) tell('/protocol', 'not-supported', 'only mailboxes of IMAP (0) are read by themselves')
  if (!['password', 'oauth'].includes(auth))
    tell('/auth', 'not-supported', 'one signs in by `password` or by `oauth`; the mailbox is not read')
  if (!isSecurity(imap.security)) tell('/imap/security', 'unknown-code', 'must be 0, 1 or 2; the mailbox is not read')
  if (!active) return found
  if (!imap.host) tell('/imap/host', 'no-server', 'without a server nothing is read')
  if (auth === 'oauth') found.push(...noGrant(mailbox))
  else if (imap.host && password === '') tell('/password', 'no-password', 'without a password nothing is read')
  return found
}

/** What is missing for a token. */
function noGrant({
  oauth,
  clientSecret,
  refreshToken,
}: Pick<Mailbox, 'oauth' | 'clientSecret' | 'refreshToken'>): Finding[] {
  const missing = [
    [oauth.tokenUrl, '/oauth/tokenUrl', 'an address where tokens are given out'],
    [oauth.clientId, '/oauth/clientId', 'a client id'],
    [refreshToken || clientSecret, '/refreshToken', 'a refresh token, or the secret of a client that acts for itself'],
  ] as const
  return missing.flatMap(([value, path, what]) =>
    value ? [] : [{ path, code: 'no-grant', message: `without ${what} nobody signs in` }],
  )
}

/** Why mail may not leave. */
async function wayOut({ smtp, containerId, address, dkim, dkimKey }: Mailbox, ctx: Context): Promise<Finding[]> {
  const found: Finding[] = []
  if (!isSecurity(smtp.security))
    found.push({ path: '/smtp/security', code: 'unknown-code', message: 'must be 0, 1 or 2; nothing is sent' })
  if (!smtp.host && !ctx.services.outboundRules.relay)
    found.push({
      path: '/smtp/host',
      code: 'no-server',
      message: 'neither the mailbox nor the installation has a mail server, so nothing is sent',
    })
  if (dkimKey !== '' && !(dkim.domain && dkim.selector))
    found.push({ path: '/dkim', code: 'no-domain', message: 'without a domain and a selector nothing is signed' })
  if (dkim.domain && !isRelated(dkim.domain.toLowerCase(), domainOf(address)))
    found.push({
      path: '/dkim/domain',
      code: 'other-domain',
      message: 'is not that of the address, so nothing is signed',
    })
  const [desk] = containerId
    ? [true]
    : await ctx.sql`select 1 from container where tenant_id = ${ctx.caller.tenantId} and kind = ${deskKind} and not deleted and not archived limit 1`
  if (!desk)
    found.push({ path: '/containerId', code: 'no-desk', message: 'there is no service desk yet for what comes in' })
  return found
}

export const isSecurity = (code: number | undefined) =>
  code === undefined || Object.values(mailSecurity).some(known => known === code)
