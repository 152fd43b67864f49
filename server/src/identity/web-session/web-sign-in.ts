import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { browserLocale } from '../browser-locale.ts'
import type { VerifiedToken } from '../oauth/access-token.ts'
import { base } from '../oauth/base-path.ts'
import { say } from '../oauth/pages/html.ts'
import { signInRefusedPage } from '../oauth/pages/pages.ts'
import { sendPage } from '../oauth/pages/send-page.ts'
import { openAt, sealAt } from '../oauth/provider/sealed-value.ts'
import { allScopes } from '../scope.ts'
import { endSession } from '../session/session.ts'
import { tenantCaller } from '../tenant-caller.ts'
import { lifetimes } from '../token-lifetimes.ts'
import { ownPath } from './own-path.ts'
import { refuseCrossSite, type WebCookies, webCookies } from './web-cookie.ts'
import { findWebSession, openWebSession, webClient } from './web-session.ts'

interface WebSignInDeps {
  database: Database
  /** The public base URL of the installation, without a trailing slash. */
  baseUrl: string
  /** Derives a secret of the installation for the given purpose. */
  derive(purpose: string): Buffer
  verifyAccessToken(token: string): Promise<VerifiedToken>
  /** Told of everybody who signs in, with the locale of their browser; the rooms above supply it. */
  welcome(who: { tenantId: Id; userId: Id }, locale: string): Promise<void>
}

interface Parts extends WebSignInDeps {
  app: FastifyInstance
  cookies: WebCookies
  key: Buffer
}

type Query = Record<string, string | string[] | undefined>
type PageRequest = FastifyRequest<{ Querystring: Query }>

/**
 * The way of a browser into the web app. The authorisation server stays the only door: the web app is a client like others, whose code is
 * redeemed here, and the browser gets a cookie instead of tokens.
 */
export function mountWebSignIn(app: FastifyInstance, deps: WebSignInDeps): void {
  const parts: Parts = { ...deps, app, cookies: webCookies(deps.baseUrl), key: deps.derive('web sign-in') }
  app.get('/sign-in', (request: PageRequest, reply) => begin(parts, request, reply))
  app.get('/signed-in', (request: PageRequest, reply) => finish(parts, request, reply))
  app.post('/sign-out', (request, reply) => signOut(parts, request, reply))
}

/** A sign-in in progress, sealed in a cookie. */
interface Pending {
  state: string
  verifier: string
  to: string
}

const place = 'web sign-in'

function begin({ baseUrl, cookies, key }: Parts, request: PageRequest, reply: FastifyReply): FastifyReply {
  const { to, tenant, moved } = request.query
  const path = ownPath(to) ?? '/'
  const workspace = typeof tenant === 'string' ? { tenant: tenant.slice(0, 100) } : {}
  // The cookies belong to the host of the base URL. A proxy may name another one in every request, hence only one try.
  if (request.host !== new URL(baseUrl).host && moved === undefined)
    return leadTo(reply, `${baseUrl}/sign-in?${new URLSearchParams({ to: path, ...workspace, moved: '1' })}`)
  const pending: Pending = { state: random(), verifier: random(), to: path }
  cookies.signIn.set(reply, sealAt(key, place, pending), lifetimes.webSignIn)
  const asked = {
    client_id: webClient,
    redirect_uri: `${baseUrl}/signed-in`,
    response_type: 'code',
    scope: `openid ${allScopes}`,
    state: pending.state,
    code_challenge: createHash('sha256').update(pending.verifier).digest('base64url'),
    code_challenge_method: 'S256',
    // A browser that is signed in already gets a session without a password, but none that is longer than the password allows.
    max_age: String(lifetimes.webSession - lifetimes.unusedWebSession),
    // Whoever brings a ticket may not be the one who is signed in.
    ...(cookies.ticket.read(request) === '' ? {} : { prompt: 'login' }),
    ...workspace,
  }
  return leadTo(reply, `${baseUrl}${base}/auth?${new URLSearchParams(asked)}`)
}

async function finish(parts: Parts, request: PageRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { cookies, database, baseUrl } = parts
  const pending = readPending(parts, request)
  cookies.signIn.clear(reply)
  const { code, state } = request.query
  if (!pending || typeof code !== 'string' || typeof state !== 'string' || !isSame(state, pending.state))
    return refuse(parts, reply, pending)
  const token = await redeem(parts, request, code, pending.verifier)
  if (!token?.session || !token.signedIn || token.authVersion === undefined) return refuse(parts, reply, pending)
  const cookie = await openWebSession(database, {
    tenantId: token.tenantId,
    userId: token.userId,
    authVersion: token.authVersion,
    grant: token.session,
    signedInAt: token.signedIn.at,
    methods: token.signedIn.methods,
    userAgent: request.headers['user-agent'] ?? '',
    address: request.ip,
  })
  cookies.session.set(reply, cookie, lifetimes.webSession)
  // What the browser keeps may be of somebody whose session ended without a sign-out, and has the same addresses and versions.
  reply.header('clear-site-data', '"cache"')
  const locale = browserLocale(request.headers['accept-language'])
  if (locale) await parts.welcome(token, locale)
  return leadTo(reply, `${baseUrl}${pending.to}`)
}

function readPending({ cookies, key }: Parts, request: FastifyRequest): Pending | undefined {
  try {
    const { state, verifier, to } = openAt(key, place, cookies.signIn.read(request))
    return { state: String(state), verifier: String(verifier), to: ownPath(to) ?? '/' }
  } catch {
    return undefined // absent, forged, or of another installation
  }
}

/** Redeems the code like every client does, within this process. The tokens are read and forgotten. */
async function redeem(
  { app, baseUrl, verifyAccessToken }: Parts,
  request: FastifyRequest,
  code: string,
  verifier: string,
): Promise<VerifiedToken | undefined> {
  const form = { grant_type: 'authorization_code', client_id: webClient, redirect_uri: `${baseUrl}/signed-in` }
  const answer = await app.inject({
    method: 'POST',
    url: `${base}/token`,
    remoteAddress: request.ip,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ ...form, code, code_verifier: verifier }).toString(),
  })
  return answer.statusCode === 200
    ? await verifyAccessToken(String(answer.json<{ access_token?: unknown }>().access_token))
    : undefined
}

function refuse({ baseUrl }: Parts, reply: FastifyReply, pending: Pending | undefined): FastifyReply {
  const again = `${baseUrl}/sign-in?${new URLSearchParams({ to: pending?.to ?? '/' })}`
  return sendPage(reply.code(400), signInRefusedPage(notFinished, again))
}

const notFinished = say(
  'This sign-in was refused, has expired, or was started in another browser or tab.',
  'Diese Anmeldung wurde abgelehnt, ist abgelaufen oder wurde in einem anderen Browser oder Tab begonnen.',
)

/** Ends the session of the web app, that of the browser with the authorisation server, and the grant between them. */
async function signOut({ database, cookies }: Parts, request: FastifyRequest, reply: FastifyReply) {
  refuseCrossSite(request, cookies.origin)
  const session = await findWebSession(database, cookies.session.read(request))
  if (session) {
    const { tenantId, userId, id, grant: credentialId } = session
    const origin = { address: request.ip, credential: 'session', credentialId, client: webClient } as const
    await database.transaction({ ...tenantCaller(tenantId, userId), origin }, ctx => endSession(ctx, userId, id))
  }
  cookies.session.clear(reply)
  return reply
    .headers({ 'clear-site-data': '"cache", "cookies", "storage"', 'cache-control': 'no-store' })
    .code(204)
    .send()
}

function leadTo(reply: FastifyReply, address: string): FastifyReply {
  return reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(address, 303)
}

const random = () => randomBytes(32).toString('base64url')

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
