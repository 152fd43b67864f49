/** The scopes that OpenID Connect itself defines. */
export const openidScopes: readonly string[] = ['openid', 'offline_access', 'profile', 'email']

/**
 * Full access within the rights of the user. A token always names its scopes, so that omitting them never widens it.
 */
export const allScopes = '*:*'

const form = /^(\*|[a-zA-Z]+):(read|write|admin|\*)$/
const levels = ['read', 'write', 'admin']

interface ResolvedScopes {
  openid: string[]
  api: string[]
  /** The requested scopes that are refused: unknown, or beyond the ceiling. */
  refused: string[]
}

/**
 * Splits the requested scopes into granted and refused ones. A request without an API scope gets everything below the
 * ceiling. An unknown scope is refused instead of ignored, because ignoring a restriction would widen the token.
 */
export function resolveScopes(asked: string | undefined, ceiling: readonly string[] = [allScopes]): ResolvedScopes {
  const named = [...new Set(asked?.split(' ').filter(Boolean))]
  const openid = named.filter(scope => openidScopes.includes(scope))
  const api = named.filter(scope => form.test(scope))
  const refused = named.filter(
    scope => !openid.includes(scope) && !(api.includes(scope) && ceiling.some(held => covers(held, scope))),
  )
  return { openid, api: api.length > 0 ? api : [...ceiling], refused }
}

function covers(held: string, wanted: string): boolean {
  const [area, level = ''] = held.split(':')
  const [wantedArea, wantedLevel = ''] = wanted.split(':')
  const rank = (each: string) => (each === '*' ? levels.length - 1 : levels.indexOf(each))
  return (area === '*' || area?.toLowerCase() === wantedArea?.toLowerCase()) && rank(level) >= rank(wantedLevel)
}
