import type { Context } from '../../kernel/database.ts'
import type { Finding } from '../../kernel/resource.ts'
import { security } from '../transport/place.ts'
import type { Mailbox } from './mailbox.ts'

/** What of a mailbox does nothing, and what is missing for it to do something. */
export async function mailboxFindings(mailbox: Mailbox, ctx: Context): Promise<Finding[]> {
  return [...obstacles(mailbox), ...(await wayOut(mailbox, ctx))]
}

/** Why a mailbox is not read. */
export function obstacles({ protocol, auth, imap, password, active }: Mailbox): Finding[] {
  const found: Finding[] = []
  const tell = (path: string, code: string, message: string) => found.push({ path, code, message })
  if (protocol !== 0) tell('/protocol', 'not-supported', 'only mailboxes of IMAP (0) are read by themselves')
  if (auth !== 'password') tell('/auth', 'not-supported', 'only a user name and a password are used to sign in')
  if (!isSecurity(imap.security)) tell('/imap/security', 'unknown-code', 'must be 0, 1 or 2; the mailbox is not read')
  if (!active) return found
  if (!imap.host) tell('/imap/host', 'no-server', 'without a server nothing is read')
  else if (password === '') tell('/password', 'no-password', 'without a password nothing is read')
  return found
}

/** Why mail may not leave. */
async function wayOut({ smtp, containerId }: Mailbox, ctx: Context): Promise<Finding[]> {
  const found: Finding[] = []
  if (!isSecurity(smtp.security))
    found.push({ path: '/smtp/security', code: 'unknown-code', message: 'must be 0, 1 or 2; nothing is sent' })
  if (!smtp.host && !ctx.outbound.relay)
    found.push({
      path: '/smtp/host',
      code: 'no-server',
      message: 'neither the mailbox nor the installation has a mail server, so nothing is sent',
    })
  const [desk] = containerId
    ? [true]
    : await ctx.sql`select 1 from container where tenant_id = ${ctx.caller.tenantId} and kind = 1 and not deleted and not archived limit 1`
  if (!desk)
    found.push({ path: '/containerId', code: 'no-desk', message: 'there is no service desk yet for what comes in' })
  return found
}

export const isSecurity = (code: number | undefined) =>
  code === undefined || Object.values(security).some(known => known === code)
