import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { employerDomain } from './crm-domains.ts'

/**
 * Returns the customer of a mail address: the one whose contact has it, else the one that has its domain; '' if there is none, or
 * more than one.
 */
export async function customerOfAddress(ctx: Context, address: string): Promise<Id | ''> {
  const email = address.trim().toLowerCase()
  const domain = employerDomain(email)
  const rows = await ctx.sql<{ address: string; id: Id }>`select address, crm_id as id from crm_address
    where tenant_id = ${ctx.caller.tenantId} and address = any(${[email, `@${domain}`]}::text[]) order by crm_id limit 10`
  const [contacts, domains] = [rows.filter(each => each.address === email), rows.filter(each => each.address !== email)]
  const [found, another] = contacts.length > 0 ? contacts : domains
  return found && !another ? found.id : ''
}
