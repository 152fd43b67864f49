import { createHash } from 'node:crypto'
import { type Outbound, OutboundFailure } from '../../platform/outbound/outbound.ts'
import type { MailServer, OAuthGrant } from './mail-server.ts'

interface Token {
  accessToken: string
  /** Some providers rotate the refresh token with every request. */
  refreshToken: string
  until: number
}

/** A token is not used in its last minute; ms. */
const reserve = 60_000

/** Tokens are kept in memory only. The key is a digest of the grant, so that a changed grant gets a new token. */
const tokens = new Map<string, Promise<Token>>()
const maxTokens = 1000

/** Called with a rotated refresh token and the one that it replaces. */
export type StoreRefreshToken = (fresh: string, used: string) => Promise<void>

/** Returns the server with an access token. */
export async function withAccessToken(
  server: MailServer,
  outbound: Outbound,
  keep: StoreRefreshToken = async () => {},
): Promise<MailServer> {
  const { grant } = server
  if (!grant) return server
  const key = keyOf(grant)
  const known = await tokens.get(key)?.catch(() => undefined)
  if (known && known.until > Date.now()) return { ...server, accessToken: known.accessToken }
  const asked = ask(grant, outbound)
  remember(key, asked)
  const token = await asked.catch(error => {
    tokens.delete(key)
    throw error
  })
  if (token.refreshToken !== grant.refreshToken) {
    remember(keyOf({ ...grant, refreshToken: token.refreshToken }), asked)
    await keep(token.refreshToken, grant.refreshToken)
  }
  return { ...server, accessToken: token.accessToken }
}

/** Turns a rejected token into a readable error and drops the token, so that the next attempt requests a new one. */
export function explainTokenRefusal({ grant }: MailServer, error: unknown): unknown {
  const said = `${String(Reflect.get(Object(error), 'code') ?? '')} ${String(Reflect.get(Object(error), 'authenticationFailed') ?? '')}`
  if (!grant || !/EAUTH|true/.test(said)) return error
  tokens.delete(keyOf(grant))
  return new OutboundFailure(
    'refused',
    'the server rejects the access token: check that the user is the one who granted access, and that the scope covers this server',
  )
}

function remember(key: string, token: Promise<Token>): void {
  tokens.set(key, token)
  const [oldest] = tokens.keys()
  if (tokens.size > maxTokens && oldest !== undefined) tokens.delete(oldest)
}

const keyOf = (grant: OAuthGrant) =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(grant).sort()))
    .digest('hex')

async function ask(
  { tenantId, tokenUrl, clientId, clientSecret, refreshToken, scope }: OAuthGrant,
  outbound: Outbound,
): Promise<Token> {
  if (!tokenUrl) throw new OutboundFailure('refused', 'the token URL is missing (oauth.tokenUrl)')
  const form = new URLSearchParams({
    ...(refreshToken
      ? { grant_type: 'refresh_token', refresh_token: refreshToken }
      : { grant_type: 'client_credentials' }),
    client_id: clientId,
    ...(clientSecret ? { client_secret: clientSecret } : {}),
    ...(scope ? { scope } : {}),
  })
  const { status, body } = await outbound.ask({
    tenantId,
    method: 'POST',
    url: tokenUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form.toString(),
  })
  const said = jsonIn(body)
  const accessToken = textOf(said.access_token)
  if (status !== 200 || !/^[\x21-\x7e]{1,16000}$/.test(accessToken))
    throw new OutboundFailure('refused', whatToDo(status, textOf(said.error)))
  const life = Number(said.expires_in)
  return {
    accessToken,
    refreshToken: textOf(said.refresh_token).slice(0, 10_000) || refreshToken,
    until: Date.now() + (life > 0 ? Math.min(life, 86_400) : 3600) * 1000 - reserve,
  }
}

function whatToDo(status: number, error: string): string {
  const code = /^[\w.-]{1,60}$/.test(error) ? ` (${error})` : ''
  if (error === 'invalid_grant')
    return `the provider rejects the refresh token: grant access again and enter the new token${code}`
  if (error === 'invalid_client' || error === 'unauthorized_client')
    return `the provider rejects the client: check its id, its secret (which may have expired) and its permissions${code}`
  if (error === 'invalid_scope') return `the provider rejects the scope${code}`
  return `the provider issued no token: it answered ${status}${code}`
}

function jsonIn(body: Buffer): Record<string, unknown> {
  try {
    return { ...JSON.parse(body.toString('utf8')) }
  } catch {
    return {}
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
