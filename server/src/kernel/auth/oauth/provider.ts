import { type AccessTokenDraft, type Ctx, errors, interactionPolicy, Provider, type Token } from 'oidc-provider'
import type { Database } from '../../database.ts'
import type { SigningKeys } from '../signing-keys.ts'
import { findAccount, readAccountId } from './accounts.ts'
import { clientProperties, compareByDigest, keyClients, keyOf, ownClients } from './clients.ts'
import { deviceCodePage, deviceConfirmPage, errorPage, logoutPage, messagePage, pagePolicy } from './pages.ts'
import { openidScopes, settleScopes } from './scopes.ts'
import { digest, openStore } from './store.ts'

const minute = 60
const day = 24 * 60 * minute

/** A program signed in for a month without use, or a year in all, signs in again. */
const unused = 30 * day
const oldest = 365 * day

export const base = '/oauth'

export interface ProviderOptions {
  database: Database
  baseUrl: string
  resource: string
  keys: SigningKeys
  clients: readonly OtherClient[]
}

/** A program of somebody else's, to which people must first agree. */
export interface OtherClient {
  client_id: string
  client_name: string
  redirect_uris: string[]
  application_type?: 'web' | 'native'
}

/** The authorisation server: what it can do, for how long, and what it asks us. */
export function makeProvider({ database, baseUrl, resource, keys, clients }: ProviderOptions): Provider {
  const https = baseUrl.startsWith('https:')
  const store = openStore(database, keys.derive('oauth store'))
  const apiKeys = keyClients(database)

  const provider = new Provider(baseUrl, {
    adapter: (kind: string) => (kind === 'Client' ? apiKeys : store(kind)),
    jwks: { keys: keys.keys.map(key => ({ ...key })) },
    clients: [...ownClients(baseUrl), ...clients.map(otherClient)],
    clientDefaults: {
      id_token_signed_response_alg: 'ES256',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
    extraClientMetadata: { properties: clientProperties },
    // The digest of a key stands in for a secret, so nothing may be signed by it.
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: [...openidScopes],
    claims: { openid: ['sub', 'tid'], profile: ['name'], email: ['email'] },
    cookies: {
      names: cookieNames(https),
      keys: [keys.derive('oauth cookies').toString('base64url')],
      long: { signed: true, httpOnly: true, sameSite: 'lax', secure: https, path: '/' },
      short: { signed: true, httpOnly: true, sameSite: 'lax', secure: https },
    },
    routes: {
      authorization: `${base}/auth`,
      token: `${base}/token`,
      jwks: `${base}/jwks`,
      revocation: `${base}/revoke`,
      code_verification: `${base}/device`,
      device_authorization: `${base}/device/auth`,
      end_session: `${base}/logout`,
    },
    discovery: { service_documentation: `${baseUrl}/docs` },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: async (_ctx: Ctx, client: { clientId: string }, token: Token) =>
          token.clientId === client.clientId,
      },
      deviceFlow: {
        enabled: true,
        userCodeInputSource: askForCode,
        userCodeConfirmSource: confirmDevice,
        successSource: deviceConnected,
      },
      rpInitiatedLogout: { enabled: true, logoutSource: askForLogout, postLogoutSuccessSource: signedOut },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => resource,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (ctx: Ctx, indicator: string) => apiFor(ctx, indicator),
      },
    },
    interactions: {
      policy: policy(),
      url: (_ctx: Ctx, { uid }: { uid: string }) =>
        `${new URL(baseUrl).pathname.replace(/\/$/, '')}${base}/interaction/${uid}`,
    },
    findAccount: (_ctx: Ctx, accountId: string) => findAccount(database, accountId),
    extraTokenClaims: claimsOf,
    formats: { customizers: { jwt: nameSubject } },
    issueRefreshToken: async (_ctx: Ctx, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    // A browser's tokens end with its session; a program on a machine has none.
    expiresWithSession: async (ctx: Ctx) => ctx.oidc.client?.applicationType !== 'native',
    renderError: async (ctx: Ctx, out: { error: string; error_description?: string }) =>
      show(ctx, errorPage(sentence(out.error_description ?? 'something went wrong'), out.error)),
    ttl: {
      AccessToken: 10 * minute,
      ClientCredentials: 10 * minute,
      AuthorizationCode: minute,
      DeviceCode: 10 * minute,
      IdToken: 10 * minute,
      Interaction: 60 * minute,
      Session: 14 * day,
      Grant: oldest,
      RefreshToken: (_ctx: Ctx, token: Token) => Math.max(1, Math.min(unused, oldest - (token.totalLifetime?.() ?? 0))),
    },
  })

  compareByDigest(provider)
  nameSubjectOfIdToken(provider)
  // We hand over address, host and scheme ourselves, in the headers that a proxy would use: see `oauth.ts`.
  provider.proxy = true
  return provider

  function apiFor(ctx: Ctx, indicator: string) {
    if (indicator !== resource) throw new errors.InvalidTarget()
    return {
      scope: scopesFor(ctx).join(' '),
      audience: resource,
      accessTokenTTL: 10 * minute,
      accessTokenFormat: 'jwt',
      jwt: { sign: { alg: 'ES256', kid: keys.keys[0]?.kid } },
    }
  }
}

function otherClient({ client_id, client_name, redirect_uris, application_type = 'web' }: OtherClient) {
  return {
    client_id,
    client_name,
    redirect_uris,
    application_type,
    token_endpoint_auth_method: 'none',
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
  }
}

/** The prefixes make browsers hold to what the cookies say: sent over TLS only, and by nobody else's subdomain set. */
function cookieNames(https: boolean) {
  const [host, secure] = https ? ['__Host-', '__Secure-'] : ['', '']
  return {
    session: `${host}gantry-session`,
    interaction: `${secure}gantry-interaction`,
    resume: `${secure}gantry-resume`,
  }
}

/** The scopes of the API in this request. A request that opens a grant is settled here; one that uses a grant brings its scopes along. */
function scopesFor(ctx: Ctx): string[] {
  const { params, entities, client, route } = ctx.oidc
  const source = entities.AuthorizationCode ?? entities.RefreshToken ?? entities.DeviceCode
  if (route === 'token' && source) return settleScopes(source.scope).api
  const key = keyOf(client)
  const ceiling = key && key.scopes.length > 0 ? key.scopes : undefined
  const { openid, api, refused } = settleScopes(params.scope, ceiling)
  if (refused.length > 0)
    throw new errors.InvalidScope('requested scope is not known or not allowed', refused.join(' '))
  params.scope = [...(openid.length > 0 || key ? openid : ['openid']), ...api].join(' ')
  return api
}

/** Asks for a new sign-in where the account behind a session is closed or has new credentials, and knows our own subject. */
function policy() {
  const rules = interactionPolicy.base()
  const { checks } = rules.get('login')
  checks.add(
    new interactionPolicy.Check(
      'account_closed',
      'the session is not valid any more',
      ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account === undefined,
    ),
  )
  checks.remove('id_token_hint')
  checks.add(
    new interactionPolicy.Check('id_token_hint', 'id_token_hint and authenticated subject do not match', ({ oidc }) => {
      const hint = oidc.entities.IdTokenHint
      return hint !== undefined && hint.payload.sub !== readAccountId(oidc.session?.accountId)?.userId
    }),
  )
  return rules
}

/** Whose a token is: the one who signed in, or the owner of the key. */
function ownerOf(token: Token) {
  const owner = readAccountId(token.accountId) ?? keyOf(token.client)
  if (!owner) throw new Error('a token without an owner')
  return owner
}

async function claimsOf(_ctx: Ctx, token: Token): Promise<Record<string, unknown>> {
  if (!token.scope) throw new errors.InvalidScope('nothing of the API would be left to this token', '')
  const { tenantId, authVersion } = ownerOf(token)
  const key = keyOf(token.client)
  return { tid: tenantId, av: authVersion, ...(key ? { key: key.id } : { grant: digest(token.grantId ?? '') }) }
}

async function nameSubject(_ctx: Ctx, token: Token, { payload }: AccessTokenDraft): Promise<void> {
  payload.sub = ownerOf(token).userId
}

/** The account carries more than a subject should: outside, a user is known by their id alone. */
function nameSubjectOfIdToken({ IdToken }: Provider): void {
  const { payload } = IdToken.prototype
  IdToken.prototype.payload = async function () {
    const claims = await payload.call(this)
    return { ...claims, sub: readAccountId(claims.sub)?.userId }
  }
}

function show(ctx: Ctx, page: string): void {
  ctx.type = 'html'
  ctx.set('content-security-policy', pagePolicy())
  ctx.set('cache-control', 'no-store')
  ctx.body = page
}

const formOf = ({ oidc }: Ctx, route: string) => ({
  action: oidc.urlFor(route),
  xsrf: oidc.session?.state?.secret ?? '',
})

async function askForCode(
  ctx: Ctx,
  _form: string,
  _out?: unknown,
  error?: Error & { userCode?: string },
): Promise<void> {
  const code = error?.userCode ?? (typeof ctx.state.userCode === 'string' ? ctx.state.userCode : '')
  const complaint = error && { complaint: complaintAbout(error) }
  show(ctx, deviceCodePage({ ...formOf(ctx, 'code_verification'), code, ...complaint }))
}

function complaintAbout({ name, userCode }: Error & { userCode?: string }): string {
  if (userCode !== undefined || name === 'NoCodeError')
    return 'This code is not known, or not any more. Check it, or let the device show a new one.'
  if (name === 'AbortedError') return 'The device was refused.'
  return 'Something went wrong. Let the device show a new code.'
}

async function confirmDevice(
  ctx: Ctx,
  _form: string,
  client: { clientId: string; clientName?: string },
  _info: unknown,
  code: string,
): Promise<void> {
  show(
    ctx,
    deviceConfirmPage({ ...formOf(ctx, 'code_verification'), code, client: client.clientName ?? client.clientId }),
  )
}

async function deviceConnected(ctx: Ctx): Promise<void> {
  show(ctx, messagePage('The device is connected', 'You can close this page and go on there.'))
}

async function askForLogout(ctx: Ctx): Promise<void> {
  show(ctx, logoutPage(formOf(ctx, 'end_session_confirm')))
}

async function signedOut(ctx: Ctx): Promise<void> {
  show(ctx, messagePage('You are signed out', 'You can close this page.'))
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
}
