import { type AccessTokenDraft, type Ctx, errors, type Provider, type Token } from 'oidc-provider'
import { readAccountId } from '../accounts.ts'
import { apiKeyOf } from './clients.ts'
import { resolveScopes } from './scopes.ts'
import { digest } from './store.ts'

/** The scopes of the API in this request. A request that opens a grant is settled here; one that uses a grant brings its scopes along. */
export function scopesFor(ctx: Ctx): string[] {
  const { params, entities, client, route } = ctx.oidc
  const source = entities.AuthorizationCode ?? entities.RefreshToken ?? entities.DeviceCode
  if (route === 'token' && source) return resolveScopes(source.scope).api
  const key = apiKeyOf(client)
  const ceiling = key && key.scopes.length > 0 ? key.scopes : undefined
  const { openid, api, refused } = resolveScopes(params.scope, ceiling)
  if (refused.length > 0)
    throw new errors.InvalidScope('requested scope is not known or not allowed', refused.join(' '))
  params.scope = [...(openid.length > 0 || key ? openid : ['openid']), ...api].join(' ')
  return api
}

/** What a token says beyond the usual: the tenant, the version of the credentials, and what it dies with. */
export async function claimsOf(_ctx: Ctx, token: Token): Promise<Record<string, unknown>> {
  if (!token.scope) throw new errors.InvalidScope('nothing of the API would be left to this token', '')
  const { tenantId, authVersion } = ownerOf(token)
  const key = apiKeyOf(token.client)
  return { tid: tenantId, av: authVersion, ...(key ? { key: key.id } : { grant: digest(token.grantId ?? '') }) }
}

export async function nameSubject(_ctx: Ctx, token: Token, { payload }: AccessTokenDraft): Promise<void> {
  payload.sub = ownerOf(token).userId
}

/** The account carries more than a subject should: outside, a user is known by their id alone. */
export function nameSubjectOfIdToken({ IdToken }: Provider): void {
  const { payload } = IdToken.prototype
  IdToken.prototype.payload = async function () {
    const claims = await payload.call(this)
    return { ...claims, sub: readAccountId(claims.sub)?.userId }
  }
}

/** Whose a token is: the one who signed in, or the owner of the key. */
function ownerOf(token: Token) {
  const owner = readAccountId(token.accountId) ?? apiKeyOf(token.client)
  if (!owner) throw new Error('a token without an owner')
  return owner
}
