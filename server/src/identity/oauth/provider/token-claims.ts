import { type AccessTokenDraft, type Ctx, errors, type Provider, type Token } from 'oidc-provider'
import { readAccountId } from '../accounts.ts'
import { apiKeyOf, scopeLimitOf } from './clients.ts'
import { isIdentityOnly, resolveScopes } from './scopes.ts'
import { digest } from './store.ts'
import { tenantClientOf } from './tenant-clients.ts'

/**
 * Returns the API scopes of this request. They are decided when a grant is created; a request that uses a grant takes
 * the scopes from it.
 */
export function scopesFor(ctx: Ctx): string[] {
  const { params, entities, client, route } = ctx.oidc
  const source = entities.AuthorizationCode ?? entities.RefreshToken ?? entities.DeviceCode
  if (route === 'token' && source) return resolveScopes(source.scope).api
  const key = apiKeyOf(client)
  const { openid, api, refused } = resolveScopes(params.scope, scopeLimitOf(client))
  if (refused.length > 0)
    throw new errors.InvalidScope('requested scope is not known or not allowed', refused.join(' '))
  params.scope = [...(openid.length > 0 || key ? openid : ['openid']), ...api].join(' ')
  return api
}

/**
 * Whether the token of this request is for the API. The one of a person who signs in without an API scope says who they
 * are, at the address for user information, and opens nothing else.
 */
export function isForApi({ oidc: { params, client } }: Ctx): boolean {
  if (apiKeyOf(client) || !isIdentityOnly(params.scope)) return true
  params.scope ||= 'openid'
  return false
}

/**
 * The additional claims of a token: the tenant, the version of the credentials, the grant or key that the token
 * depends on, and after a sign-in its time and methods (RFC 9068).
 */
export async function claimsOf({ oidc }: Ctx, token: Token): Promise<Record<string, unknown>> {
  if (!token.scope) throw new errors.InvalidScope('the token would have no API scope', '')
  const { tenantId, authVersion } = ownerOf(token)
  const registered = tenantClientOf(token.client)
  if (registered && registered.tenantId !== tenantId) throw new errors.InvalidClient('the client is of another tenant')
  const key = apiKeyOf(token.client)
  const { authTime, amr } = oidc.entities.AuthorizationCode ?? {}
  return {
    tid: tenantId,
    av: authVersion,
    ...(key ? { key: key.id } : { grant: digest(token.grantId ?? '') }),
    ...(authTime === undefined ? {} : { auth_time: authTime, amr: amr ?? [] }),
  }
}

export async function nameSubject(_ctx: Ctx, token: Token, { payload }: AccessTokenDraft): Promise<void> {
  payload.sub = ownerOf(token).userId
}

/**
 * Replaces the account id by the id of the user in the subject, because the account id also contains internal parts.
 */
export function nameSubjectOfIdToken({ IdToken }: Provider): void {
  const { payload } = IdToken.prototype
  IdToken.prototype.payload = async function () {
    const claims = await payload.call(this)
    return { ...claims, sub: readAccountId(claims.sub)?.userId }
  }
}

/** Does the same in the answer at the address for user information. */
export function nameSubjectOfUserinfo(provider: Provider, path: string): void {
  provider.use(async (ctx, next) => {
    await next()
    const claims = ctx.path === path && ctx.status === 200 ? (ctx.body as { sub?: unknown }) : undefined
    if (claims) ctx.body = { ...claims, sub: readAccountId(claims.sub)?.userId }
  })
}

/** The account that a token belongs to: the user who signed in, or the owner of the API key. */
function ownerOf(token: Token) {
  const owner = readAccountId(token.accountId) ?? apiKeyOf(token.client)
  if (!owner) throw new Error('the token has no owner')
  return owner
}
