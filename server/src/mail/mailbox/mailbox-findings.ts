import { deskKind } from '../../desk/ticket/ticket.ts'
import type { Context } from '../../kernel/context.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { mailSecurity } from '../../platform/mail-security.ts'
import { domainOf } from '../address.ts'
import { isRelated } from '../mail-message/authenticity/authenticity.ts'
import type { Mailbox } from './mailbox-shape.ts'
import { mailProtocol } from './mailbox-shape.ts'

/** Returns the settings of a mailbox that have no effect, and those that it lacks to work. */
export async function mailboxFindings(mailbox: Mailbox, ctx: Context): Promise<Finding[]> {
  return [...fetchObstacles(mailbox), ...(await sendFindings(mailbox, ctx))]
}

/** Returns the reasons why a mailbox cannot be read. */
export function fetchObstacles({ protocol, auth, imap, password, active, ...mailbox }: Mailbox): Finding[] {
  const found: Finding[] = []
  const add = (path: string, code: string, message: string) => found.push({ path, code, message })
  if (protocol !== mailProtocol.imap) add('/protocol', 'not-supported', 'only IMAP mailboxes (0) are read')
  if (!['password', 'oauth'].includes(auth))
    add('/auth', 'not-supported', 'must be `password` or `oauth`; the mailbox is not read')
  if (!isSecurity(imap.security)) add('/imap/security', 'unknown-code', 'must be 0, 1 or 2; the mailbox is not read')
  if (!active) return found
  if (!imap.host) add('/imap/host', 'no-server', 'the mailbox is not read, because it has no server')
  if (auth === 'oauth') found.push(...noGrant(mailbox))
  else if (imap.host && password === '')
    add('/password', 'no-password', 'the mailbox is not read, because it has no password')
  return found
}

/** Returns the settings that are missing to get an access token. */
function noGrant({
  oauth,
  clientSecret,
  refreshToken,
}: Pick<Mailbox, 'oauth' | 'clientSecret' | 'refreshToken'>): Finding[] {
  const missing = [
    [oauth.tokenUrl, '/oauth/tokenUrl', 'a token URL'],
    [oauth.clientId, '/oauth/clientId', 'a client id'],
    [refreshToken || clientSecret, '/refreshToken', 'a refresh token or a client secret'],
  ] as const
  return missing.flatMap(([value, path, what]) =>
    value ? [] : [{ path, code: 'no-grant', message: `sign-in is impossible without ${what}` }],
  )
}

/** Returns the reasons why mail cannot be sent or signed. */
async function sendFindings({ smtp, containerId, address, dkim, dkimKey }: Mailbox, ctx: Context): Promise<Finding[]> {
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
    found.push({ path: '/dkim', code: 'no-domain', message: 'mail is not signed without a domain and a selector' })
  if (dkim.domain && !isRelated(dkim.domain.toLowerCase(), domainOf(address)))
    found.push({
      path: '/dkim/domain',
      code: 'other-domain',
      message: 'does not belong to the domain of the address, so mail is not signed',
    })
  const [desk] = containerId
    ? [true]
    : await ctx.sql`select 1 from container where tenant_id = ${ctx.caller.tenantId} and kind = ${deskKind} and not deleted and not archived limit 1`
  if (!desk)
    found.push({ path: '/containerId', code: 'no-desk', message: 'there is no service desk for incoming mail yet' })
  return found
}

export const isSecurity = (code: number | undefined) =>
  code === undefined || Object.values(mailSecurity).some(known => known === code)
