import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import type { Finding } from '../kernel/record/record.ts'
import { isInDomain } from '../kernel/schema/formats.ts'
import { plainAddress } from './address.ts'
import { mailSettings } from './mail-general.ts'
import { participationOf } from './mail-message/ticket/thread-match.ts'

// A stranger is an address of nobody here: no user has it, and who has it takes no part in the talk about the item. Whoever
// makes rules, notifications and watches can name any address, so what goes to strangers by itself is kept within bounds.

/** To how many of them a tenant may send within a day, if the operator says nothing of it. */
export const defaultStrangersPerDay = 1000

/** Those of these addresses that are strangers', in lower case. */
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

/** Whether strangers of this domain may be written to; where no domains are named, all may. */
export function isAllowed(domains: readonly string[], address: string): boolean {
  return domains.length === 0 || domains.some(domain => isInDomain(address, domain))
}

/** Addresses to which nothing is sent, because they are strangers' and their domain is none that is allowed. */
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
      message: `nothing is sent to ${address}: its domain is none of the mailRecipientDomains`,
    }))
}
