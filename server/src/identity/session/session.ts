import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { forgetAfterCommit } from '../../kernel/memory.ts'
import { ownTenant } from '../../kernel/sql.ts'
import type {} from '../audit/audit.ts'
import { tenantCaller } from '../tenant-caller.ts'
import { lifetimes } from '../token-lifetimes.ts'

/** A session as its user sees it. */
interface Session {
  id: Id
  /** The name of a client that the tenant has registered, else its id. */
  client: string
  userAgent: string
  address: string
  created: Date
  lastUsed: Date
  /** How the user signed in to the web app; empty for other clients. */
  methods: string[]
  /** The session that the request belongs to. */
  current: boolean
}

interface NewSession {
  tenantId: Id
  userId: Id
  authVersion: number
  grant: string
  browser: string
  native: boolean
  client: string
  userAgent: string
  address: string
}

/** Records a sign-in to a client. Sessions of the user that can no longer be used are forgotten. */
export async function recordSession(ctx: Context, session: NewSession): Promise<void> {
  const { tenantId, userId, authVersion, grant, browser, native, client, userAgent, address } = session
  // An ended session is needed until its last access token has expired.
  await ctx.sql`delete from user_session where tenant_id = ${tenantId} and user_id = ${userId}
    and (created < ${before(ctx.now, lifetimes.grant)} or ended < ${before(ctx.now, 2 * lifetimes.accessToken)} or auth_version < ${authVersion})`
  await ctx.sql`insert into user_session
      (tenant_id, id, user_id, grant_id, browser, native, client, user_agent, address, created, last_used, auth_version)
    values (${tenantId}, ${newId()}, ${userId}, ${grant}, ${browser}, ${native}, ${client.slice(0, 200)},
      ${storable(userAgent)}, ${address}, ${ctx.now}, ${ctx.now}, ${authVersion})`
}

/**
 * Deletes sessions of the tenant that can no longer be used: ended ones when their last access token has expired, unused and
 * old ones when they cannot be renewed, and those that newer credentials have ended. Returns the deleted rows.
 */
export async function forgetUnusableSessions(ctx: Context, now: Date, limit: number): Promise<unknown[]> {
  const { tenantId } = ctx.caller
  const unused = await ctx.sql<{ id: Id; grant: string }>`select id, grant_id as grant from user_session
    where tenant_id = ${tenantId} and last_used < ${before(now, lifetimes.unusedRefreshToken)} order by last_used limit ${limit}`
  // A client may renew its tokens without using them.
  const renewable = await ctx.crossTenantSql<{ grant: string }>`select grant_id as grant from oauth
    where kind = 'RefreshToken' and grant_id = any(${unused.map(each => each.grant)}::text[]) and expires_at > ${now}`
  const expired = unused.filter(({ grant }) => !renewable.some(each => each.grant === grant)).map(each => each.id)
  return await ctx.sql`delete from user_session where tenant_id = ${tenantId} and id in (
    select s.id from user_session s join "user" u on u.tenant_id = ${ownTenant} and u.id = s.user_id
    where s.tenant_id = ${tenantId} and (s.created < ${before(now, lifetimes.grant)} or s.id = any(${expired}::uuid[]) or s.cookie_until < ${now}
      or (s.cookie is not null and s.last_used < ${before(now, lifetimes.unusedWebSession)})
      or s.ended < ${before(now, 2 * lifetimes.accessToken)} or s.auth_version < u.auth_version) limit ${limit}) returning true`
}

const before = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000)
const storable = (text: string) => text.replace(/[^\x20-\x7e]/g, '').slice(0, 400)

/** Records when and from where a session was last used: at most once a minute, and without an event. */
export async function noteSessionUse(database: Database, tenantId: Id, grant: string, address: string): Promise<void> {
  await database
    .single(
      tenantCaller(tenantId),
      ctx => ctx.sql`update user_session set last_used = ${ctx.now}, address = ${address}
        where tenant_id = ${tenantId} and grant_id = ${grant} and last_used < ${new Date(ctx.now.getTime() - 60_000)}`,
    )
    .catch(() => {}) // the record is optional, so a busy database may refuse it
}

const maxShown = 1000

/** The sessions of a user that can be used, the last used one first. */
export async function listSessions(ctx: Context, userId: Id): Promise<Session[]> {
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<Omit<Session, 'current'> & { grant: string }>`
    select s.id, coalesce(c.name, s.client) as client, s.user_agent as "userAgent", s.address, s.created, s.last_used as "lastUsed", s.methods, s.grant_id as grant
    from user_session s join "user" u on u.tenant_id = ${ownTenant} and u.id = s.user_id
      left join oauth_client c on c.tenant_id = ${ownTenant} and c.client_id = s.client
    where s.tenant_id = ${tenantId} and s.user_id = ${userId} and s.ended is null and s.auth_version = u.auth_version
      and (s.cookie is null or s.cookie_until > ${ctx.now} and s.last_used > ${before(ctx.now, lifetimes.unusedWebSession)})
    order by s.last_used desc, s.id limit ${maxShown}`
  // Clients end sessions themselves, by revoking their tokens, and unused ones expire.
  const live = await ctx.crossTenantSql<{ id: string }>`select id from oauth
    where kind = 'Grant' and id = any(${rows.map(row => row.grant)}::text[]) and expires_at > now()`
  const grants = new Set(live.map(row => row.id))
  return rows
    .filter(row => grants.has(row.grant))
    .map(({ grant, ...session }) => ({ ...session, current: grant === sessionOf(ctx) }))
}

/** Ends one session: its tokens are refused from the commit on. Returns false if the user has no such session. */
export async function endSession(ctx: Context, userId: Id, id: Id): Promise<boolean> {
  const { tenantId } = ctx.caller
  const [ended] = await ctx.sql<{ grant: string; browser: string; native: boolean; client: string }>`
    update user_session set ended = ${ctx.now}
    where tenant_id = ${tenantId} and user_id = ${userId} and id = ${id} and ended is null
    returning grant_id as grant, browser, native, client`
  if (!ended) return false
  await appendEvents(ctx, [
    { kind: 'user.sessionEnded', entity: 'User', recordId: userId, changes: { session: { from: ended.client } } },
  ])
  const shared = ended.native && (await isShared(ctx, userId, ended.browser))
  // The browser could sign in again without a password as long as its own session lasts.
  ctx.afterCommit(() =>
    ctx.crossTenantSql`delete from oauth
      where grant_id = ${ended.grant} or (kind = 'Session' and uid = ${shared ? '' : ended.browser})`.catch(() => {}),
  )
  forgetAfterCommit(ctx)
  return true
}

/** Ends all sessions of a user with one client: its tokens are refused from the commit on. */
export async function endSessionsWith(ctx: Context, userId: Id, client: string): Promise<void> {
  const { tenantId } = ctx.caller
  const ended = await ctx.sql<{ grant: string }>`update user_session set ended = ${ctx.now}
    where tenant_id = ${tenantId} and user_id = ${userId} and client = ${client} and ended is null returning grant_id as grant`
  const grants = ended.map(each => each.grant)
  ctx.afterCommit(() => ctx.crossTenantSql`delete from oauth where grant_id = any(${grants}::text[])`.catch(() => {}))
  forgetAfterCommit(ctx)
}

/** A program on the same machine may have been connected in a browser that is still used. */
async function isShared({ sql, caller }: Context, userId: Id, browser: string): Promise<boolean> {
  const [other] = await sql`select 1 from user_session where tenant_id = ${caller.tenantId} and user_id = ${userId}
    and browser = ${browser} and ended is null limit 1`
  return other !== undefined
}

/**
 * Ends all sessions of the user, and an open invitation; that of the caller goes on if it is one of them. API keys stay
 * valid.
 */
export async function endOtherSessions(ctx: Context, userId: Id): Promise<void> {
  const { tenantId } = ctx.caller
  await ctx.sql`with changed as (
      update "user" set auth_version = auth_version + 1, invitation = null, invitation_expires = null
      where tenant_id = ${tenantId} and id = ${userId} returning auth_version
    ) update user_session s set auth_version = c.auth_version from changed c
    where s.tenant_id = ${tenantId} and s.user_id = ${userId} and s.grant_id = ${sessionOf(ctx)}
      and s.ended is null and s.auth_version = c.auth_version - 1`
  forgetAfterCommit(ctx)
}

/** Deletes the sessions of an anonymised user, with their addresses and browsers. */
export async function forgetSessions({ sql, caller }: Context, userId: Id): Promise<void> {
  await sql`delete from user_session where tenant_id = ${caller.tenantId} and user_id = ${userId}`
}

/** Tells whether a session goes on although its user has newer credentials than its tokens. */
export async function goesOn({ crossTenantSql }: Database, tenantId: Id, grant: string): Promise<boolean> {
  const [row] = await crossTenantSql`select 1 from user_session s
    join "user" u on u.tenant_id = ${tenantId} and u.id = s.user_id and u.auth_version = s.auth_version
    where s.tenant_id = ${tenantId} and s.grant_id = ${grant} and s.ended is null`
  return row !== undefined
}

/** The session of the request, by the digest of its grant; an API key has none. */
const sessionOf = ({ caller: { keyId, origin } }: Context) => (keyId ? '' : (origin?.credentialId ?? ''))
