import * as oidc from 'openid-client'
import type { Id } from '../../../kernel/id.ts'
import {
  isTransportHeader,
  type Outbound,
  OutboundFailure,
  type OutboundRules,
} from '../../../platform/outbound/outbound.ts'
import { normalizedIssuer } from './issuer.ts'

/** The registration of this service as a client of a provider. */
export interface Registration {
  tenantId: Id
  provider: string
  issuer: string
  clientId: string
  secret: string | undefined
  scopes: readonly string[]
}

/** The issuer in the configuration of a provider differs from the stored one. */
class IssuerMismatch extends Error {
  readonly issuer: string
  constructor(issuer: string) {
    super('the provider names another issuer')
    this.issuer = issuer
  }
}

/** The tolerated difference between the clocks of the provider and of this service. */
const clockToleranceSeconds = 120

/** Fetches the configuration of a provider. Requests go through the outbound client, which refuses internal addresses. */
export async function discover(
  { tenantId, issuer, clientId }: Registration,
  outbound: Outbound,
  rules: OutboundRules,
): Promise<oidc.ServerMetadata> {
  const config = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), {
    [oidc.customFetch]: fetchThrough(outbound, tenantId),
    timeout: 25,
    execute: rules.http ? [oidc.allowInsecureRequests] : [],
  })
  const metadata = { ...config.serverMetadata() }
  // The library accepts a different issuer for some hosts of Microsoft, so it is compared here.
  if (normalizedIssuer(metadata.issuer) !== normalizedIssuer(issuer)) throw new IssuerMismatch(metadata.issuer)
  return metadata
}

/** The client for one sign-on. A new client fetches the keys of the provider again, so that rotated keys work at once. */
export function configure(
  { tenantId, clientId, secret }: Registration,
  metadata: oidc.ServerMetadata,
  outbound: Outbound,
  rules: OutboundRules,
): oidc.Configuration {
  const config = new oidc.Configuration(
    metadata,
    clientId,
    { [oidc.clockTolerance]: clockToleranceSeconds },
    clientAuthentication(metadata, secret),
  )
  config[oidc.customFetch] = fetchThrough(outbound, tenantId)
  config.timeout = 25
  if (rules.http) oidc.allowInsecureRequests(config)
  // Signatures are verified although the token comes directly from the provider.
  oidc.enableNonRepudiationChecks(config)
  return config
}

function clientAuthentication(metadata: oidc.ServerMetadata, secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None()
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_post') ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret)
}

export function scopeOf({ scopes }: Registration): string {
  return [...new Set(['openid', ...(scopes.length > 0 ? scopes : ['profile', 'email'])])].join(' ')
}

export function fetchThrough(outbound: Outbound, tenantId: Id): oidc.CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await outbound.ask({
      tenantId,
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !isTransportHeader(name))),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
    })
    const bare = [204, 205, 304].includes(answer.status)
    return new Response(bare ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: { 'content-type': answer.type },
    })
  }
}

/** The reason of a failure in a sentence that an admin can act on. */
export function describeFailure(error: unknown): string {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause instanceof OutboundFailure) return cause.message
    if (cause instanceof IssuerMismatch) return `its issuer is ${cause.issuer.slice(0, 200)}`
    if (cause instanceof oidc.AuthorizationResponseError || cause instanceof oidc.ResponseBodyError)
      return `it answered ${cause.error.slice(0, 100)}`
    const code = 'code' in cause ? String(cause.code) : ''
    if (code in failureMessages) return failureMessages[code] ?? ''
  }
  return 'its answer does not follow OpenID Connect'
}

const failureMessages: Readonly<Record<string, string>> = {
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'there is no OpenID Connect provider at this address',
  OAUTH_RESPONSE_IS_NOT_JSON: 'there is no OpenID Connect provider at this address',
  OAUTH_PARSE_ERROR: 'there is no OpenID Connect provider at this address',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'its configuration has another issuer',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'a claim of its token has an unexpected value',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'its token has expired, or its clock is wrong',
  OAUTH_KEY_SELECTION_FAILED: 'its token is signed with a key that it does not publish',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'plain http is not allowed',
}
