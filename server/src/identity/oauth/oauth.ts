import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx, Provider } from 'oidc-provider'
import type { Database } from '../../kernel/database.ts'
import { isConnectionFault } from '../../kernel/postgres/sql-state.ts'
import { Unauthorized } from '../../kernel/refusal.ts'
import { openPasskeySignIn } from '../passkey/passkey-sign-in.ts'
import type { SigningKeys } from '../signing-keys/signing-keys.ts'
import { webCookies } from '../web-session/web-cookie.ts'
import { accessTokenVerifier, type VerifiedToken } from './access-token.ts'
import { base } from './base-path.ts'
import type { Brand } from './pages/page-style.ts'
import { sendTooManyAttempts } from './pages/send-page.ts'
import { apiKeyOf, type OtherClient } from './provider/clients.ts'
import { openCurrentProvider } from './provider/current-provider.ts'
import { openStore, revokeToken } from './provider/store.ts'
import { networkOf, openAttemptLimit } from './sign-in/attempt-limit.ts'
import type { ExternalSignIn } from './sign-in/external-provider.ts'
import { mountInteractions } from './sign-in/interactions.ts'
import { openSignInTickets, type SignInTickets } from './sign-in/sign-in-ticket.ts'
import { openTokenAudit } from './token-audit.ts'

export { type AccountRef, revokeAccount } from './accounts.ts'
export {
  type ExternalProviderId,
  type ExternalSignIn,
  type PendingSignIn,
  SignInRefused,
} from './sign-in/external-provider.ts'

export interface OAuthDeps {
  database: Database
  /** The public base URL of the installation, without a trailing slash. It is the issuer of every token. */
  baseUrl: string
  signingKeys: SigningKeys
  log(line: Record<string, unknown>): void
  /** The number of passwords and device codes that one network, or one account, may try in a minute, per process. */
  attemptsPerMinute?: number
  /** Third-party clients. */
  clients?: readonly OtherClient[]
  /** The external identity providers. */
  externalSignIn?: ExternalSignIn
  /** How a workspace wants to be seen on the sign-in page, by its slug. */
  brandOf?: (workspace: string) => Promise<Brand | undefined>
}

/** Mounts the authorisation server under `/oauth` and returns the verifier of its tokens. */
export async function mountOAuth(
  app: FastifyInstance,
  deps: OAuthDeps,
): Promise<{ verifyAccessToken(token: string): Promise<VerifiedToken>; tickets: SignInTickets }> {
  const { database, baseUrl, signingKeys: keys } = deps
  const resource = `${baseUrl}/api`
  const verifyAccessToken = accessTokenVerifier({ database, issuer: baseUrl, audience: resource, keys })
  const auditTokens = openTokenAudit(database)
  const provider = openCurrentProvider(keys, async keySet => {
    // Loaded when somebody signs in: API calls do without it, and it takes a tenth of a start.
    const { makeProvider } = await import('./provider/provider.ts')
    const made = makeProvider({
      database,
      baseUrl,
      resource,
      keySet,
      derive: keys.derive,
      clients: deps.clients ?? [],
    })
    watch(made, deps)
    made.use(auditTokens)
    made.use((ctx, next) => revokeAccessTokens(ctx, next, database, verifyAccessToken))
    return made
  })
  const perMinute = deps.attemptsPerMinute ?? 20
  const attempts = openAttemptLimit(perMinute)
  const prepare = preparation(baseUrl)

  const store = openStore(database, keys.derive('oauth store'))
  const external = deps.externalSignIn && {
    externalSignIn: deps.externalSignIn,
    store: store('SignOn'),
    // Nothing can be guessed in the round trip to an external provider; the limit only protects that provider from
    // load.
    attempts: openAttemptLimit(30 * perMinute),
  }
  const tickets = openSignInTickets(database, store('SignInTicket'), webCookies(baseUrl).ticket)
  await app.register(async scope =>
    mountInteractions(scope, {
      provider,
      database,
      baseUrl,
      resource,
      attempts,
      pending: store('SecondStep'),
      tickets,
      brandOf: deps.brandOf ?? (async () => undefined),
      passkeys: openPasskeySignIn(database, store('PasskeyChallenge'), baseUrl),
      prepare,
      external,
    }),
  )
  await app.register(async scope => {
    // The provider parses request bodies itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const [method, url] of provided) {
      scope.route({
        method,
        url,
        handler: async (request, reply) => {
          if (url === `${base}/device` && method === 'POST' && !attempts.take(`device ${networkOf(request.ip)}`))
            return sendTooManyAttempts(reply)
          const answer = await provider.callback()
          prepare(request)
          reply.hijack()
          giveHeaders(reply)
          void answer(request.raw, reply.raw)
          return reply
        },
      })
    }
  })
  return { verifyAccessToken, tickets }
}

/** The routes that the provider answers; every other path below `/oauth` is a 404. */
const provided: readonly (readonly ['GET' | 'POST' | 'OPTIONS', string])[] = [
  ['GET', '/.well-known/openid-configuration'],
  ['OPTIONS', '/.well-known/openid-configuration'],
  ['GET', '/.well-known/oauth-authorization-server'],
  ['OPTIONS', '/.well-known/oauth-authorization-server'],
  ['GET', `${base}/jwks`],
  ['OPTIONS', `${base}/jwks`],
  ['GET', `${base}/auth`],
  ['GET', `${base}/auth/:uid`],
  ['POST', `${base}/token`],
  ['POST', `${base}/revoke`],
  ['GET', `${base}/userinfo`],
  ['POST', `${base}/userinfo`],
  ['OPTIONS', `${base}/userinfo`],
  ['POST', `${base}/device/auth`],
  ['GET', `${base}/device`],
  ['POST', `${base}/device`],
  ['GET', `${base}/device/:uid`],
  ['GET', `${base}/logout`],
  ['POST', `${base}/logout/confirm`],
  ['GET', `${base}/logout/success`],
]

/**
 * The provider builds its URLs from the request. Host, scheme and client address in the request are therefore replaced
 * by trusted values: the configured base URL, and the address that Fastify determined.
 */
function preparation(baseUrl: string) {
  const { host, protocol, pathname } = new URL(baseUrl)
  return (request: FastifyRequest) => {
    const raw: FastifyRequest['raw'] & { originalUrl?: string } = request.raw
    raw.url = (raw.url ?? '/').replace(/^[a-z]+:\/\/[^/?#]*/i, '')
    raw.originalUrl = pathname.replace(/\/$/, '') + raw.url
    raw.headers.host = host
    raw.headers['x-forwarded-host'] = host
    raw.headers['x-forwarded-proto'] = protocol.slice(0, -1)
    raw.headers['x-forwarded-for'] = request.ip
  }
}

/**
 * The headers of every reply. Only a self-submitting form needs a script, and the provider adds the digest of that
 * script to the policy.
 */
function giveHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.setHeader(
    'content-security-policy',
    "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'",
  )
}

/**
 * The provider revokes only tokens that it stores, and refuses others after it has authenticated the client. Access tokens are
 * signed and not stored, so a revoked one is remembered until it expires.
 */
async function revokeAccessTokens(
  ctx: Ctx,
  next: () => Promise<void>,
  database: Database,
  verify: (token: string) => Promise<VerifiedToken>,
): Promise<void> {
  await next()
  if (ctx.path !== `${base}/revoke` || ctx.status !== 400) return
  const { client, params } = ctx.oidc
  if (!client || (ctx.body as { error?: string } | undefined)?.error !== 'unsupported_token_type') return
  const token = await verify(String(params.token ?? '')).catch(error => {
    if (error instanceof Unauthorized) return undefined
    throw error
  })
  // A key may call itself by its whole prefix or by the part after `gty_`.
  if (token && token.clientId !== client.clientId && (!token.keyId || token.keyId !== apiKeyOf(client)?.id)) return
  if (token) await revokeToken(database, token.jti, token.expiresAt)
  ctx.status = 200
  ctx.body = ''
}

/** Errors are logged in full; the client receives none of their details. */
function watch(provider: Provider, { log }: OAuthDeps): void {
  const report = (route: string, error: unknown) =>
    log({ level: 'error', route, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  provider.on('server_error', (ctx: { path: string; method: string; status: number }, error: unknown) => {
    if (isConnectionFault(error)) ctx.status = 503
    report(`${ctx.method} ${ctx.path}`, error)
  })
  provider.on('error', error => report(base, error))
  provider.use(async (ctx, next) => {
    // A link that contains the user code only fills in the field; the person still has to submit it.
    if (ctx.path === `${base}/device` && ctx.method === 'GET') {
      ctx.state.userCode = ctx.query.user_code
      ctx.query = {}
    }
    try {
      await next()
    } catch (error) {
      report(`${ctx.method} ${ctx.path}`, error)
      ctx.status = isConnectionFault(error) ? 503 : 500
      ctx.body = { error: 'server_error', error_description: 'an internal error occurred' }
    }
  })
}
