import { type Ctx, Provider, type Token } from 'oidc-provider'
import type { Database } from '../../../kernel/database.ts'
import type { KeySet } from '../../signing-keys/signing-keys.ts'
import { lifetimes } from '../../token-lifetimes.ts'
import { findAccount, readAccountId } from '../accounts.ts'
import { base } from '../base-path.ts'
import { showError } from '../pages/provider-pages.ts'
import { isStrongEnough } from '../sign-in/second-step.ts'
import { compareByDigest } from './client-secret.ts'
import { clientProperties, type OtherClient, otherClient, ownClients, storedClients } from './clients.ts'
import { providerFeatures } from './provider-features.ts'
import { openidScopes } from './scopes.ts'
import { signInPolicy } from './sign-in-policy.ts'
import { digest, isGrantValid, openStore } from './store.ts'
import { claimsOf, nameSubject, nameSubjectOfIdToken, nameSubjectOfUserinfo } from './token-claims.ts'

interface ProviderOptions {
  database: Database
  baseUrl: string
  resource: string
  /** The signing keys at the moment of construction. */
  keySet: KeySet
  /** Derives a secret of the installation for the given purpose. */
  derive(purpose: string): Buffer
  clients: readonly OtherClient[]
}

/** Builds the authorisation server: its features, its lifetimes and its callbacks. */
export function makeProvider(options: ProviderOptions): Provider {
  const { database, baseUrl, resource, keySet, derive, clients } = options
  const https = baseUrl.startsWith('https:')
  const store = openStore(database, derive('oauth store'))
  const clientsInDatabase = storedClients(database)

  const provider = new Provider(baseUrl, {
    adapter: (kind: string) => (kind === 'Client' ? clientsInDatabase : store(kind)),
    jwks: { keys: keySet.keys.map(key => ({ ...key })) },
    clients: [...ownClients(baseUrl), ...clients.map(otherClient)],
    clientDefaults: {
      id_token_signed_response_alg: 'ES256',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
    extraClientMetadata: { properties: clientProperties },
    // The digest of an API key serves as the client secret, so nothing may be signed with it.
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    allowOmittingSingleRegisteredRedirectUri: false,
    // Browsers send the `Origin` header for requests of Gantry's own pages too.
    clientBasedCORS: (_ctx: Ctx, origin: string) => origin === new URL(baseUrl).origin,
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: [...openidScopes],
    // The workspace hint selects the external identity providers that the sign-in page offers.
    extraParams: ['tenant'],
    claims: { openid: ['sub', 'tid'], profile: ['name'], email: ['email'] },
    cookies: cookies(https, derive('oauth cookies').toString('base64url')),
    routes,
    discovery: { service_documentation: `${baseUrl}/docs` },
    features: providerFeatures(resource, keySet),
    interactions: {
      policy: signInPolicy(),
      url: (_ctx: Ctx, { uid }: { uid: string }) =>
        `${new URL(baseUrl).pathname.replace(/\/$/, '')}${base}/interaction/${uid}`,
    },
    findAccount: async (ctx: Ctx, accountId: string, token?: Token) => {
      const holder = readAccountId(accountId)
      const amr = token?.amr ?? ctx.oidc.session?.amr ?? []
      if (!holder || !(await isStrongEnough(database, holder.tenantId, amr))) return undefined
      return await findAccount(database, accountId, token?.grantId && digest(token.grantId))
    },
    // A grant whose session was ended is asked for again.
    loadExistingGrant: async ({ oidc: { result, session, client, provider: own } }: Ctx) => {
      const grantId = result?.consent?.grantId ?? session?.grantIdFor(client?.clientId ?? '')
      const tenantId = readAccountId(session?.accountId)?.tenantId
      if (!grantId || !tenantId || !(await isGrantValid(database, tenantId, digest(grantId)))) return undefined
      return await own.Grant.find(grantId)
    },
    extraTokenClaims: claimsOf,
    formats: { customizers: { jwt: nameSubject } },
    issueRefreshToken: async (_ctx: Ctx, client: { grantTypeAllowed(type: string): boolean }, { scope }: Token) =>
      client.grantTypeAllowed('refresh_token') && scope?.split(' ').includes('offline_access') === true,
    rotateRefreshToken: true,
    // Refresh tokens of a browser end with its session; a native client has no session.
    expiresWithSession: async (ctx: Ctx) => ctx.oidc.client?.applicationType !== 'native',
    renderError: showError,
    ttl,
  })

  compareByDigest(provider)
  nameSubjectOfIdToken(provider)
  nameSubjectOfUserinfo(provider, routes.userinfo)
  // Gantry sets address, host and scheme itself, in the headers of a reverse proxy; see `oauth.ts`.
  provider.proxy = true
  return provider
}

const routes = {
  authorization: `${base}/auth`,
  token: `${base}/token`,
  jwks: `${base}/jwks`,
  userinfo: `${base}/userinfo`,
  revocation: `${base}/revoke`,
  code_verification: `${base}/device`,
  device_authorization: `${base}/device/auth`,
  end_session: `${base}/logout`,
}

/** Lifetimes in seconds. A refresh token never outlives the grant that it belongs to. */
const ttl = {
  AccessToken: lifetimes.accessToken,
  ClientCredentials: lifetimes.accessToken,
  AuthorizationCode: lifetimes.authorizationCode,
  DeviceCode: lifetimes.deviceCode,
  IdToken: lifetimes.idToken,
  Interaction: lifetimes.interaction,
  Session: lifetimes.session,
  Grant: lifetimes.grant,
  RefreshToken: (_ctx: Ctx, token: Token) =>
    Math.max(1, Math.min(lifetimes.unusedRefreshToken, lifetimes.grant - (token.totalLifetime?.() ?? 0))),
}

/**
 * The cookie prefixes make browsers enforce the attributes: the cookie is sent over TLS only, and no other subdomain
 * can set it.
 */
function cookies(https: boolean, key: string) {
  const [host, secure] = https ? ['__Host-', '__Secure-'] : ['', '']
  return {
    names: {
      session: `${host}gantry-session`,
      interaction: `${secure}gantry-interaction`,
      resume: `${secure}gantry-resume`,
    },
    keys: [key],
    long: { signed: true, httpOnly: true, sameSite: 'lax', secure: https, path: '/' },
    short: { signed: true, httpOnly: true, sameSite: 'lax', secure: https },
  }
}
