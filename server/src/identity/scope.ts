import { agentScope } from './agent.ts'

/**
 * Full access within the rights of the user. A token always names its scopes, so that omitting them never widens it.
 */
export const allScopes = '*:*'

const form = /^(\*|[a-zA-Z]+):(read|write|admin|\*)$/
const levels = ['read', 'write', 'admin']

/** Whether this is a scope of the API: an area, or all, and a level. */
export const isApiScope = (scope: string) => form.test(scope)

/** What a list of scopes may contain. */
export const isScope = (scope: string) => scope === agentScope || isApiScope(scope)

export const scopeDemand = 'must be agent, or have the form item:read, item:write, item:admin or *:read'

/** Whether the first scope contains the second one. */
export function covers(held: string, wanted: string): boolean {
  const [area, wantedArea] = [areaOf(held), areaOf(wanted)]
  return (area === '*' || area.toLowerCase() === wantedArea.toLowerCase()) && rankOf(held) >= rankOf(wanted)
}

/**
 * What two lists of scopes have in common. `agent` takes away and gives nothing, so one of the lists suffices for it; if they have
 * nothing else in common, the result is empty.
 */
export function commonScopes(some: readonly string[], others: readonly string[]): string[] {
  const common = some.filter(isApiScope).flatMap(one => others.filter(isApiScope).flatMap(other => meet(one, other)))
  if (common.length === 0) return []
  const forAgent = some.includes(agentScope) || others.includes(agentScope)
  return [...new Set([...common, ...(forAgent ? [agentScope] : [])])]
}

function meet(one: string, other: string): string[] {
  const [area, otherArea] = [areaOf(one), areaOf(other)]
  if (area !== '*' && otherArea !== '*' && area.toLowerCase() !== otherArea.toLowerCase()) return []
  return [`${area === '*' ? otherArea : area}:${levels[Math.min(rankOf(one), rankOf(other))]}`]
}

const areaOf = (scope: string) => scope.split(':')[0] ?? ''

function rankOf(scope: string): number {
  const level = scope.split(':')[1] ?? ''
  return level === '*' ? levels.length - 1 : levels.indexOf(level)
}
