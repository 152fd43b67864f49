import type { BlockList } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../kernel/access.ts'
import { tenantStatus } from '../kernel/access.ts'
import type { Database } from '../kernel/database.ts'
import { header } from '../kernel/http/request-input.ts'
import type { Id } from '../kernel/id.ts'
import { onForget } from '../kernel/memory.ts'
import { Unauthorized } from '../kernel/refusal.ts'
import { addressList, contains } from '../platform/address-list.ts'
import { readRawKey, sameDigest } from './api-key-secret.ts'
import type { Origin } from './audit/audit.ts'
import { type NoteKeyUse, openKeyUse } from './audit/key-use.ts'
import { readUserAccess } from './authority.ts'
import { isStrongEnough } from './oauth/sign-in/second-step.ts'
import { goesOn, noteSessionUse } from './session/session.ts'
import { tenantCaller } from './tenant-caller.ts'
import { refuseCrossSite, type WebCookies } from './web-session/web-cookie.ts'
import { findWebSession, webClient } from './web-session/web-session.ts'

/** The claims of a credential by itself, before the state of its user is checked. */
interface Credential {
  tenantId: Id
  userId: Id
  keyId?: Id
  scopes: string[]
  expiresAt?: Date | null
  authVersion?: number
  allowedIps?: string[]
  /** The session and the client that a token was issued to. */
  session?: string
  clientId?: string
}

/** The time for which a caller is cached. A revoked key, user or grant is refused after this time at the latest. */
const belief = 5000
const maxKnown = 20_000

/** Turns the bearer credential of a request, or the cookie of the web app, into a caller. */
export function openAuthentication(
  database: Database,
  verifyAccessToken: (token: string) => Promise<Credential>,
  cookies?: WebCookies,
) {
  // The cache key is the whole credential, so that one credential never yields the caller of another; and the address,
  // which the caller carries.
  const known = new Map<string, { caller: Caller; until: number; ips: BlockList | undefined }>()
  onForget(tenantId => {
    for (const [credential, { caller }] of known) if (caller.tenantId === tenantId) known.delete(credential)
  })

  const noteKeyUse = openKeyUse(database)

  async function recognise(
    credential: string,
    address: string,
  ): Promise<{ caller: Caller; until: number; ips: BlockList | undefined }> {
    const kind = kindOf(credential)
    const proven = await {
      apiKey: () => readApiKey(database, credential, address, noteKeyUse),
      session: () => readWebSession(database, credential.slice(cookieMark.length)),
      token: () => verifyAccessToken(credential),
    }[kind]()
    const standing = await readUserAccess(database, proven.tenantId, proven.userId)
    if (!standing) throw refused()
    const outdated = proven.authVersion !== undefined && proven.authVersion !== standing.authVersion
    if (outdated && !(await goesOn(database, proven.tenantId, proven.session ?? ''))) throw refused()
    const caller: Caller = {
      tenantId: proven.tenantId,
      userId: proven.userId,
      name: standing.name,
      timezone: standing.timezone,
      kind: proven.keyId ? 'apiKey' : 'user',
      ...(proven.keyId ? { keyId: proven.keyId } : {}),
      scopes: proven.scopes,
      authority: standing.authority,
      origin: originOf(proven, kind, address),
      ...(standing.tenantStatus === tenantStatus.active ? {} : { tenantStatus: standing.tenantStatus }),
      ...(standing.requestsPerMinute > 0 ? { requestsPerMinute: standing.requestsPerMinute } : {}),
    }
    const until = Math.min(Date.now() + belief, proven.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY)
    return { caller, until, ips: proven.allowedIps?.length ? addressList(proven.allowedIps) : undefined }
  }

  async function authenticate(request: FastifyRequest): Promise<Caller> {
    const credential = credentialOf(request, cookies)
    const address = request.ip
    const cacheKey = `${credential} ${address}`
    let entry = known.get(cacheKey)
    if (!entry || entry.until <= Date.now()) {
      known.delete(cacheKey)
      entry = await recognise(credential, address)
      const { tenantId, userId, keyId, origin } = entry.caller
      const outside = entry.ips !== undefined && !contains(entry.ips, address)
      if (keyId && origin) await noteKeyUse({ tenantId, userId, keyId, origin, ...(outside ? refusedAddress : {}) })
      if (outside) throw refused()
      if (known.size >= maxKnown) known.delete(known.keys().next().value ?? '')
      known.set(cacheKey, entry)
      if (keyId) void noteUse(database, entry.caller, address)
      else if (origin) void noteSessionUse(database, tenantId, origin.credentialId, address)
    }
    return entry.caller
  }

  return authenticate
}

const refusedAddress = { outcome: 'refused', reason: 'the key may not be used from this address' } as const

type CredentialKind = 'apiKey' | 'session' | 'token'

/** No key or token contains a space, so none is taken for a cookie. */
const cookieMark = 'cookie '

function kindOf(credential: string): CredentialKind {
  if (credential.startsWith('gty_')) return 'apiKey'
  return credential.startsWith(cookieMark) ? 'session' : 'token'
}

function originOf({ keyId, session, clientId }: Credential, kind: CredentialKind, address: string): Origin {
  return { address, credential: kind, credentialId: keyId ?? session ?? '', client: clientId ?? '' }
}

/** A request that names a credential means that one; the cookie, which browsers add by themselves, counts only without. */
function credentialOf(request: FastifyRequest, cookies: WebCookies | undefined): string {
  const authorization = header(request, 'authorization')
  if (authorization === '') {
    const key = header(request, 'x-api-key')
    if (key === '') return cookieOf(request, cookies)
    if (!key.startsWith('gty_')) throw refused()
    return key
  }
  const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1]
  if (!token) throw refused()
  return token
}

function cookieOf(request: FastifyRequest, cookies: WebCookies | undefined): string {
  const cookie = cookies?.session.read(request)
  if (!cookies || !cookie) throw new Unauthorized('a bearer credential is required: an access token or an API key')
  refuseCrossSite(request, cookies.origin)
  return `${cookieMark}${cookie}`
}

async function readWebSession(database: Database, cookie: string): Promise<Credential> {
  const found = await findWebSession(database, cookie)
  if (!found) throw refused()
  const { tenantId, userId, authVersion, grant, methods, expiresAt } = found
  if (!(await isStrongEnough(database, tenantId, methods))) throw refused()
  return { tenantId, userId, authVersion, scopes: [], expiresAt, session: grant, clientId: webClient }
}

function refused(): Unauthorized {
  return new Unauthorized('the credential is not valid or has expired', 'invalid_token')
}

async function readApiKey(
  database: Database,
  rawKey: string,
  address: string,
  noteKeyUse: NoteKeyUse,
): Promise<Credential> {
  const given = readRawKey(rawKey)
  if (!given) throw refused()
  const [key] = await database.crossTenantSql<{
    tenantId: Id
    id: Id
    userId: Id
    digest: Buffer
    expiresAt: Date | null
    scopes: string[]
    allowedIps: string[]
    over: string
  }>`
    select tenant_id as "tenantId", id, owner_user_id as "userId", digest, expires_at as "expiresAt", scopes, allowed_ips as "allowedIps",
      case when deleted then 'the key is revoked' when expires_at <= now() then 'the key has expired' else '' end as over
    from api_key where prefix = ${given.prefix}`
  if (!key || !sameDigest(key.digest, given.digest)) throw refused()
  if (key.over) {
    const { tenantId, userId, id: keyId } = key
    const origin = originOf({ tenantId, userId, keyId, scopes: [] }, 'apiKey', address)
    await noteKeyUse({ tenantId, userId, keyId, origin, outcome: 'refused', reason: key.over })
    throw refused()
  }
  return {
    tenantId: key.tenantId,
    userId: key.userId,
    keyId: key.id,
    scopes: key.scopes,
    expiresAt: key.expiresAt,
    allowedIps: key.allowedIps,
  }
}

/**
 * Records when and from where a key was last used: at most once a minute, outside the request's transaction, and
 * without an event.
 */
async function noteUse(database: Database, { tenantId, userId, keyId }: Caller, ip: string): Promise<void> {
  await database
    .single(
      tenantCaller(tenantId, userId),
      ctx =>
        ctx.sql`update api_key set last_used_at = ${ctx.now}, last_used_ip = ${ip} where tenant_id = ${tenantId} and id = ${keyId} and (last_used_at is null or last_used_at < ${new Date(ctx.now.getTime() - 60_000)})`,
    )
    .catch(() => {}) // the record is optional, so a busy database may refuse it
}
