import * as jose from 'jose'
import type { Database } from '../../kernel/database.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { isConnectionFault } from '../../kernel/postgres/sql-state.ts'
import { Unauthorized } from '../../kernel/refusal.ts'
import { allScopes, commonScopes } from '../scope.ts'
import type { SigningKeys } from '../signing-keys/signing-keys.ts'
import { isGrantValid, isRevoked } from './provider/store.ts'
import { findTenantClient, isTenantClientId } from './provider/tenant-clients.ts'

/** The claims of a verified access token. Whether its user may still sign in is checked separately. */
export interface VerifiedToken {
  tenantId: Id
  userId: Id
  /** The API key that the token was obtained with. */
  keyId?: Id
  /** An empty list means all rights of the user. */
  scopes: string[]
  expiresAt: Date
  authVersion?: number
  jti: string
  /** The client that the token was issued to. */
  clientId: string
  /** The session of the user with the client, as a digest. */
  session?: string
  /** When and how the user signed in; only in the first token of a sign-in. */
  signedIn?: { at: Date; methods: string[] }
  /** The addresses that the key may be used from; an empty list means any. */
  allowedIps?: string[]
}

/**
 * Verifies tokens with the keys of the installation only; a key, or the URL of a key, in the token's header is ignored.
 */
export function accessTokenVerifier({
  database,
  issuer,
  audience,
  keys,
}: {
  database: Database
  issuer: string
  audience: string
  keys: SigningKeys
}) {
  const rules = {
    issuer,
    audience,
    algorithms: ['ES256'],
    typ: 'at+jwt',
    requiredClaims: ['exp', 'sub', 'tid', 'jti', 'scope'],
    clockTolerance: 5,
  }

  return async function verifyAccessToken(token: string): Promise<VerifiedToken> {
    const claims = await readClaims(token)
    const { jti, scope, exp, av, client_id: clientId } = claims
    const [userId, tenantId] = [idIn(claims.sub), idIn(claims.tid)]
    if (!userId || !tenantId || !jti || typeof scope !== 'string' || scope === '' || !exp) throw refused()
    const source = await readSource(database, tenantId, claims)
    if (await isRevoked(database, jti)) throw refused()
    const client = typeof clientId === 'string' ? clientId : ''
    return {
      tenantId,
      userId,
      ...source,
      scopes: await scopesNow(database, tenantId, client, scope.split(' ')),
      expiresAt: new Date(exp * 1000),
      ...(typeof av === 'number' ? { authVersion: av } : {}),
      jti,
      ...signedInOf(claims),
      clientId: client,
    }
  }

  async function readClaims(token: string): Promise<jose.JWTPayload> {
    try {
      return (await jose.jwtVerify(token, keys.findKey, rules)).payload
    } catch (error) {
      if (isConnectionFault(error)) throw error
      throw refused()
    }
  }
}

/**
 * A token is valid only as long as its origin: the API key, which may be restricted to addresses, or the grant of the
 * user to a client.
 */
async function readSource(
  database: Database,
  tenantId: Id,
  { key: keyId, grant }: jose.JWTPayload,
): Promise<Pick<VerifiedToken, 'keyId' | 'session' | 'allowedIps'>> {
  if (typeof grant === 'string' && keyId === undefined && (await isGrantValid(database, tenantId, grant)))
    return { session: grant }
  const key = idIn(keyId)
  if (!key) throw refused()
  const [live] = await database.crossTenantSql<{ allowedIps: string[] }>`select allowed_ips as "allowedIps" from api_key
    where tenant_id = ${tenantId} and id = ${key} and not deleted and (expires_at is null or expires_at > now())`
  if (!live) throw refused()
  return { keyId: key, ...live }
}

/**
 * The scopes that the token has now. Those of a client that a tenant has registered are limited by its present scopes, and never all
 * rights of the user: it could make itself a credential that outlives it.
 */
async function scopesNow(database: Database, tenantId: Id, clientId: string, scopes: string[]): Promise<string[]> {
  if (!isTenantClientId(clientId)) return scopes.includes(allScopes) ? [] : scopes
  const client = await findTenantClient(database, clientId)
  const left = client && client.tenantId === tenantId ? commonScopes(scopes, client.scopes) : []
  if (left.length === 0) throw refused()
  return left
}

function signedInOf({ auth_time: time, amr }: jose.JWTPayload): Pick<VerifiedToken, 'signedIn'> {
  return typeof time === 'number' && Array.isArray(amr)
    ? { signedIn: { at: new Date(time * 1000), methods: amr.map(String) } }
    : {}
}

function idIn(claim: unknown): Id | undefined {
  return typeof claim === 'string' && isId(claim) ? claim : undefined
}

function refused(): Unauthorized {
  return new Unauthorized('the access token is not valid or has expired', 'invalid_token')
}
