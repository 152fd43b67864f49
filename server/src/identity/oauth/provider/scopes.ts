/** What OpenID Connect itself defines. */
export const openidScopes: readonly string[] = ['openid', 'offline_access', 'profile', 'email']

/** All that the user may do. A token always says what it is for, so that leaving scopes out never widens it. */
export const allScopes = '*:*'

const form = /^(\*|[a-zA-Z]+):(read|write|admin|\*)$/
const levels = ['read', 'write', 'admin']

export interface ResolvedScopes {
  openid: string[]
  api: string[]
  /** Asked for, and not to be had: unknown, or beyond the ceiling. */
  refused: string[]
}

/**
 * Sorts what was asked for. Nothing of the API named is all below the ceiling; what we do not know is refused and not
 * passed over, because a narrowing that gets lost would be a widening.
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
