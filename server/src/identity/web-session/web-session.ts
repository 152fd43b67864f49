import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '../../kernel/database.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { tenantCaller } from '../tenant-caller.ts'
import { lifetimes } from '../token-lifetimes.ts'

/** The client that the web app is for the authorisation server. */
export const webClient = 'gantry-web'

interface NewWebSession {
  tenantId: Id
  userId: Id
  authVersion: number
  /** The digest of the grant that the sign-in has made or used again. */
  grant: string
  /** When the user proved who they are. */
  signedInAt: Date
  methods: readonly string[]
  userAgent: string
  address: string
}

/**
 * Gives a session a cookie and returns its value, which is not stored. A second sign-in of the same browser replaces the cookie of the
 * first; the session ends a fixed time after the password, however often its cookie was replaced.
 */
export async function openWebSession(database: Database, session: NewWebSession): Promise<string> {
  const { tenantId, userId, authVersion, grant, signedInAt, methods, userAgent, address } = session
  const value = randomBytes(32).toString('base64url')
  const until = new Date(signedInAt.getTime() + lifetimes.webSession * 1000)
  const list = [...methods]
  await database.transaction(tenantCaller(tenantId, userId), async ctx => {
    const [known] = await ctx.sql`update user_session
      set cookie = ${digestOf(value)}::bytea, cookie_until = ${until}, methods = ${list}::text[], last_used = ${ctx.now}, address = ${address}
      where tenant_id = ${tenantId} and user_id = ${userId} and grant_id = ${grant} and ended is null returning id`
    // The row of an old session may have been deleted although the browser could still sign in without a password.
    if (!known)
      await ctx.sql`insert into user_session (tenant_id, id, user_id, grant_id, native, client, user_agent, address, created, last_used,
          auth_version, cookie, cookie_until, methods)
        values (${tenantId}, ${newId()}, ${userId}, ${grant}, false, ${webClient}, ${userAgent.replace(/[^\x20-\x7e]/g, '').slice(0, 400)}, ${address},
          ${ctx.now}, ${ctx.now}, ${authVersion}, ${digestOf(value)}::bytea, ${until}, ${list}::text[])`
  })
  return value
}

interface WebSession {
  id: Id
  tenantId: Id
  userId: Id
  /** The version of the user's credentials up to which the session is valid. */
  authVersion: number
  grant: string
  methods: string[]
  expiresAt: Date
}

/** Finds the session of a cookie; undefined if it has ended, was unused for too long, or its grant was revoked. */
export async function findWebSession({ crossTenantSql }: Database, value: string): Promise<WebSession | undefined> {
  if (!/^[\w-]{43}$/.test(value)) return undefined
  const unusedSince = new Date(Date.now() - lifetimes.unusedWebSession * 1000)
  const [session] = await crossTenantSql<WebSession>`
    select s.id, s.tenant_id as "tenantId", s.user_id as "userId", s.auth_version as "authVersion", s.grant_id as grant, s.methods,
      s.cookie_until as "expiresAt"
    from user_session s join oauth g on g.kind = 'Grant' and g.id = s.grant_id and g.expires_at > now()
    where s.cookie = ${digestOf(value)}::bytea and s.ended is null and s.cookie_until > now() and s.last_used > ${unusedSince}`
  return session
}

const digestOf = (value: string) => createHash('sha256').update(value).digest()
