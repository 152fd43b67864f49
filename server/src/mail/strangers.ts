import { isInDomain } from '../desk/email-domain.ts'
import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import type { Finding } from '../kernel/record/record.ts'
import { plainAddress } from './address.ts'
import { mailSettings } from './mail-general.ts'
import { participationOf } from './mail-message/ticket/thread-match.ts'

// A stranger is an address that belongs to no user and to no participant of the conversation about the item. Rules,
// notifications and watches can name any address, so automatic mail to strangers is limited.

/** The default limit of mails to strangers per tenant and day. */
export const defaultStrangersPerDay = 1000

/** Returns the strangers among the addresses, in lower case. */
export async function strangersAmong(
  ctx: Context,
  addresses: readonly string[],
  itemId: Id | '',
): Promise<Set<string>> {
  const wanted = [...new Set(addresses.map(plainAddress))]
  if (wanted.length === 0) return new Set()
  const rows = await ctx.sql<{ email: string }>`select lower(email) as email from "user"
    where tenant_id = ${ctx.caller.tenantId} and not deleted and lower(email) = any(${wanted}::text[])`
  const known = new Set(rows.map(row => row.email))
  const strangers = new Set<string>()
  for (const address of wanted)
    if (!known.has(address) && !(itemId && (await participationOf(ctx, itemId, address)) === 'public'))
      strangers.add(address)
  return strangers
}

/** Tells whether mail to strangers of this domain is allowed. An empty list allows all domains. */
export function isAllowed(domains: readonly string[], address: string): boolean {
  return domains.length === 0 || domains.some(domain => isInDomain(address, domain))
}

/** Returns findings for addresses of strangers whose domain is not allowed, so that nothing is sent to them. */
export async function strangerFindings(
  ctx: Context,
  named: readonly { path: string; address: string }[],
): Promise<Finding[]> {
  if (named.length === 0) return []
  const { mailRecipientDomains } = await mailSettings(ctx)
  const outside = named.filter(({ address }) => !isAllowed(mailRecipientDomains, address))
  if (outside.length === 0) return []
  const strangers = await strangersAmong(
    ctx,
    outside.map(each => each.address),
    '',
  )
  return outside
    .filter(({ address }) => strangers.has(plainAddress(address)))
    .map(({ path, address }) => ({
      path,
      code: 'domain-not-allowed',
      message: `nothing is sent to ${address}: its domain is not among the mailRecipientDomains`,
    }))
}
