import { agentScope } from '../../agent.ts'

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
 * Splits the requested scopes into granted and refused ones. `held` are the scopes of an API key, which a request without
 * an API scope gets; a person who signs in gives the API scopes that are named, and no others. An unknown scope is refused
 * instead of ignored, because ignoring a restriction would widen the token. `agent` is a restriction: everybody may ask for it,
 * and a key that has it passes it on.
 */
export function resolveScopes(asked: string | undefined, held?: readonly string[]): ResolvedScopes {
  const ceiling = held ?? [allScopes]
  const named = [...new Set(asked?.split(' ').filter(Boolean))]
  const openid = named.filter(scope => openidScopes.includes(scope))
  const api = named.filter(scope => form.test(scope))
  const refused = named.filter(
    scope =>
      !openid.includes(scope) &&
      scope !== agentScope &&
      !(api.includes(scope) && ceiling.some(each => covers(each, scope))),
  )
  const granted = api.length > 0 ? api : (held ?? []).filter(scope => scope !== agentScope)
  const forAgent = named.includes(agentScope) || held?.includes(agentScope)
  return { openid, api: [...granted, ...(forAgent ? [agentScope] : [])], refused }
}

/** Whether the request asks who somebody is, and for nothing of the API. */
export function isIdentityOnly(asked: string | undefined): boolean {
  return (asked ?? '').split(' ').every(scope => scope === '' || openidScopes.includes(scope))
}

function covers(held: string, wanted: string): boolean {
  const [area, level = ''] = held.split(':')
  const [wantedArea, wantedLevel = ''] = wanted.split(':')
  const rank = (each: string) => (each === '*' ? levels.length - 1 : levels.indexOf(each))
  return (area === '*' || area?.toLowerCase() === wantedArea?.toLowerCase()) && rank(level) >= rank(wantedLevel)
}
