import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { sql } from '../../kernel/sql.ts'
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

/** Returns the customer of a person: that of their account, else the one that their address or its domain names. */
export async function customerOfPerson(
  ctx: Context,
  { userId, email = '' }: { userId?: Id | '' | undefined; email?: string | undefined },
): Promise<Id | ''> {
  const { tenantId } = ctx.caller
  const address = email.trim().toLowerCase()
  const [user] = await ctx.sql<{ email: string; crmId: Id | null }>`select u.email, c.id as "crmId" from "user" u
    left join crm c on c.tenant_id = ${tenantId} and c.id = u.crm_id and not c.deleted
    where u.tenant_id = ${tenantId} and not u.deleted and ${userId ? sql`u.id = ${userId}` : sql`lower(u.email) = ${address}`}`
  return user?.crmId ?? (await customerOfAddress(ctx, user?.email ?? address))
}
