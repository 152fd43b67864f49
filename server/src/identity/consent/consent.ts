import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { appendAudit } from '../audit/audit.ts'
import { covers, isApiScope } from '../scope.ts'
import { endSessionsWith } from '../session/session.ts'

/** What a user has allowed a client of the tenant. */
interface Consent {
  id: Id
  /** How the client names itself. */
  clientId: string
  name: string
  homepage: string
  scopes: string[]
  created: Date
  updated: Date
  lastUsed: Date | null
}

/** Whether the user has allowed all that the client asks for now. */
export async function hasConsent(
  { sql, caller }: Context,
  { userId, client, scopes }: { userId: Id; client: Id; scopes: readonly string[] },
): Promise<boolean> {
  const [known] = await sql<{ scopes: string[] }>`select scopes from oauth_consent
    where tenant_id = ${caller.tenantId} and user_id = ${userId} and oauth_client_id = ${client}`
  return known !== undefined && scopes.every(wanted => known.scopes.some(held => allows(held, wanted)))
}

const allows = (held: string, wanted: string) =>
  held === wanted || (isApiScope(held) && isApiScope(wanted) && covers(held, wanted))

/** Remembers what the user has allowed, beside what they allowed before, and writes it into the audit log. */
export async function recordConsent(
  ctx: Context,
  { userId, client, scopes }: { userId: Id; client: Id; scopes: readonly string[] },
): Promise<void> {
  const { tenantId } = ctx.caller
  await ctx.sql`insert into oauth_consent as c (tenant_id, id, user_id, oauth_client_id, scopes, created, updated)
    values (${tenantId}, ${newId()}, ${userId}, ${client}, ${[...scopes]}, ${ctx.now}, ${ctx.now})
    on conflict (tenant_id, user_id, oauth_client_id) do update
      set updated = excluded.updated, scopes = array(select distinct unnest(c.scopes || excluded.scopes) order by 1)`
  await auditConsent(ctx, client, 'ok', `allowed ${scopes.join(' ')}`)
}

/** Writes into the audit log what a user has answered a client. */
export async function auditConsent(ctx: Context, client: Id, outcome: 'ok' | 'refused', reason: string): Promise<void> {
  await appendAudit(ctx, { action: 'consent', outcome, reason, recordKind: 'OAuthClient', recordId: client })
}

const maxShown = 1000

/** What a user has allowed, the latest first. */
export async function listConsents({ sql, caller }: Context, userId: Id): Promise<Consent[]> {
  return await sql<Consent>`
    select c.id, o.client_id as "clientId", o.name, o.homepage, c.scopes, c.created, c.updated,
      (select max(s.last_used) from user_session s where s.tenant_id = ${ownTenant} and s.user_id = c.user_id and s.client = o.client_id) as "lastUsed"
    from oauth_consent c join oauth_client o on o.tenant_id = ${ownTenant} and o.id = c.oauth_client_id
    where c.tenant_id = ${caller.tenantId} and c.user_id = ${userId} order by c.updated desc, c.id limit ${maxShown}`
}

/** Takes a consent back: the tokens of the client end with it. Returns false if the user has given no such consent. */
export async function revokeConsent(ctx: Context, userId: Id, id: Id): Promise<boolean> {
  const { tenantId } = ctx.caller
  const [revoked] = await ctx.sql<{
    client: Id
    clientId: string
    name: string
  }>`delete from oauth_consent c using oauth_client o
    where c.tenant_id = ${tenantId} and c.user_id = ${userId} and c.id = ${id} and o.tenant_id = ${tenantId} and o.id = c.oauth_client_id
    returning o.id as client, o.client_id as "clientId", o.name`
  if (!revoked) return false
  const changes = { consent: { from: revoked.name } }
  await appendEvents(ctx, [{ kind: 'user.consentRevoked', entity: 'User', recordId: userId, changes }])
  await auditConsent(ctx, revoked.client, 'ok', 'revoked')
  await endSessionsWith(ctx, userId, revoked.clientId)
  return true
}

/** Deletes what an anonymised user has allowed. */
export async function forgetConsents({ sql, caller }: Context, userId: Id): Promise<void> {
  await sql`delete from oauth_consent where tenant_id = ${caller.tenantId} and user_id = ${userId}`
}
