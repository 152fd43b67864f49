import { agentScope } from '../../agent.ts'
import { allScopes, covers, isApiScope } from '../../scope.ts'

/** The scopes that OpenID Connect itself defines. */
export const openidScopes: readonly string[] = ['openid', 'offline_access', 'profile', 'email']

/** What a client may ask for, and what it gets if it names no scope of the API. */
export interface ScopeLimit {
  ceiling: readonly string[]
  unnamed: readonly string[]
}

/** A person who signs in to a client of the installation gives the API scopes that are named, and no others. */
const unlimited: ScopeLimit = { ceiling: [allScopes], unnamed: [] }

interface ResolvedScopes {
  openid: string[]
  api: string[]
  /** The requested scopes that are refused: unknown, or beyond the ceiling. */
  refused: string[]
}

/**
 * Splits the requested scopes into granted and refused ones. An unknown scope is refused instead of ignored, because ignoring a
 * restriction would widen the token. `agent` is a restriction: everybody may ask for it, and a key or client that has it passes it on.
 */
export function resolveScopes(asked: string | undefined, { ceiling, unnamed }: ScopeLimit = unlimited): ResolvedScopes {
  const named = [...new Set(asked?.split(' ').filter(Boolean))]
  const openid = named.filter(scope => openidScopes.includes(scope))
  const api = named.filter(isApiScope)
  const refused = named.filter(
    scope =>
      !openid.includes(scope) &&
      scope !== agentScope &&
      !(api.includes(scope) && ceiling.some(each => covers(each, scope))),
  )
  const granted = api.length > 0 ? api : unnamed.filter(scope => scope !== agentScope)
  const forAgent = named.includes(agentScope) || ceiling.includes(agentScope)
  return { openid, api: [...granted, ...(forAgent ? [agentScope] : [])], refused }
}

/** Whether the request asks who somebody is, and for nothing of the API. */
export function isIdentityOnly(asked: string | undefined): boolean {
  return (asked ?? '').split(' ').every(scope => scope === '' || openidScopes.includes(scope))
}
