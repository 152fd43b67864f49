import type { Id } from './id.ts'
import { Forbidden } from './refusal.ts'
import { raw, type Sql, sql } from './sql.ts'

/** What a person may be, in the tenant, in one container or in one area of it. */
export type Role = 'readOnly' | 'requester' | 'member' | 'manager' | 'admin'

/** The stored codes; one that is not here grants nothing. */
export const roleCodes: Readonly<Record<number, Role>> = {
  1: 'readOnly',
  2: 'requester',
  3: 'member',
  5: 'manager',
  6: 'admin',
}

/** From the least to the most: nobody hands out more than they hold. */
const ladder: readonly Role[] = ['requester', 'readOnly', 'member', 'manager', 'admin']

// Whom a permission is for. A super admin may do everything in their tenant, and is named nowhere.
export const everyone: readonly Role[] = ['requester', 'readOnly', 'member', 'manager', 'admin']
export const staff: readonly Role[] = ['readOnly', 'member', 'manager', 'admin']
export const contributors: readonly Role[] = ['requester', 'member', 'manager', 'admin']
export const members: readonly Role[] = ['member', 'manager', 'admin']
export const managers: readonly Role[] = ['manager', 'admin']
export const admins: readonly Role[] = ['admin']
export const superAdmins: readonly Role[] = []

/** Something a caller may be allowed to do, and the roles that are. */
export interface Permission {
  readonly name: string
  readonly roles: readonly Role[]
}

export function permission(name: string, roles: readonly Role[]): Permission {
  return { name, roles }
}

/** The owner codes that a grant can be given on. */
export const ownerCode = { tenant: 0, container: 1, area: 2 } as const

/** What a user holds right now: read anew every few seconds and whenever a grant, a group or a user changes. */
export interface Authority {
  readonly superAdmin: boolean
  /** Held in the whole tenant. */
  readonly tenant: ReadonlySet<Role>
  /** Held in one container, or in one area and what lies below it. */
  readonly containers: ReadonlyMap<Id, ReadonlySet<Role>>
  readonly areas: ReadonlyMap<Id, ReadonlySet<Role>>
  /** Containers that only those with a grant on them may see. */
  readonly privateContainers: readonly Id[]
  /** The groups the user belongs to, those that contain these included. */
  readonly groups: readonly Id[]
}

/** Who asks: a verified user of one tenant, in person or through a key. */
export interface Caller {
  readonly tenantId: Id
  readonly userId: Id
  readonly name: string
  readonly timezone: string
  readonly kind: 'user' | 'apiKey' | 'operator' | 'rule'
  readonly keyId?: Id
  /** What a key or a token is narrowed to; empty is all that its owner may. */
  readonly scopes: readonly string[]
  readonly authority: Authority
}

export interface Place {
  containerId?: Id | null
  areaId?: Id | null
}

/** Whether the caller may do this: in the tenant, or at this place of it. */
export function may(caller: Caller, { name, roles }: Permission, place: Place = {}): boolean {
  if (!inScope(caller.scopes, name)) return false
  const { authority } = caller
  if (authority.superAdmin) return true
  const holds = (held: ReadonlySet<Role> | undefined) => held !== undefined && roles.some(role => held.has(role))
  return (
    holds(authority.tenant) ||
    (!!place.containerId && holds(authority.containers.get(place.containerId))) ||
    (!!place.areaId && holds(authority.areas.get(place.areaId)))
  )
}

/** Whether the caller may do this somewhere: the first check, before the record is known. */
export function maySomewhere(caller: Caller, wanted: Permission): boolean {
  if (may(caller, wanted)) return true
  if (!inScope(caller.scopes, wanted.name)) return false
  const { containers, areas } = caller.authority
  return [...containers.values(), ...areas.values()].some(held => wanted.roles.some(role => held.has(role)))
}

export function demand(caller: Caller, wanted: Permission, place?: Place): void {
  if (!may(caller, wanted, place)) throw new Forbidden(`this needs the permission ${wanted.name}`)
}

/** `clock:read`, `clock:write`, `clock:admin`, `*:read` … : a key is narrowed to these. */
function inScope(scopes: readonly string[], permissionName: string): boolean {
  if (scopes.length === 0) return true
  const dot = permissionName.lastIndexOf('.')
  const [area, verb] = [permissionName.slice(0, dot), permissionName.slice(dot + 1)]
  return scopes.some(scope => {
    const [scopeArea, level] = scope.split(':')
    if (scopeArea !== '*' && scopeArea?.toLowerCase() !== area.toLowerCase()) return false
    return (
      level === 'admin' || level === '*' || (level === 'write' ? verb !== 'admin' : level === 'read' && verb === 'read')
    )
  })
}

/** The highest role that the caller may hand out. */
export function mayGrant(caller: Caller, role: Role, place: Place = {}): boolean {
  if (caller.authority.superAdmin) return true
  const held = [
    ...caller.authority.tenant,
    ...((place.containerId && caller.authority.containers.get(place.containerId)) || []),
    ...((place.areaId && caller.authority.areas.get(place.areaId)) || []),
  ]
  return held.some(each => ladder.indexOf(each) >= ladder.indexOf(role))
}

export const seesEverything = (authority: Authority) => authority.superAdmin || authority.tenant.has('admin')
const isStaff = (held: ReadonlySet<Role>) => staff.some(role => held.has(role))

/** Which containers the caller sees, as a condition on the column that holds the container's id. */
export function visibleContainers({ authority }: Caller, containerId: Sql): Sql {
  if (seesEverything(authority)) return raw('true')
  const granted = [...authority.containers.keys()]
  if (authority.tenant.size === 0) return sql`${containerId} = any(${granted}::uuid[])`
  const hidden = hiddenContainers(authority)
  return hidden.length === 0 ? raw('true') : sql`${containerId} <> all(${hidden}::uuid[])`
}

/** The same for one container that is already at hand. */
export function seesContainer({ authority }: Caller, containerId: Id): boolean {
  if (seesEverything(authority) || authority.containers.has(containerId)) return true
  return authority.tenant.size > 0 && !authority.privateContainers.includes(containerId)
}

function hiddenContainers({ privateContainers, containers }: Authority): Id[] {
  return privateContainers.filter(id => !containers.has(id))
}

/**
 * Which work the caller sees: all of a container for staff, their own for requesters. One condition for lists, single
 * records, counts and writes alike; it costs no look-up, because the caller's authority is already at hand.
 */
export function visibleWork(caller: Caller, at: { container: Sql; area: Sql; own: Sql }): Sql {
  const { authority } = caller
  if (seesEverything(authority)) return raw('true')
  const staffContainers = [...authority.containers].filter(([, held]) => isStaff(held)).map(([id]) => id)
  const areas = [...authority.areas].filter(([, held]) => isStaff(held)).map(([id]) => id)
  if (isStaff(authority.tenant)) {
    const hidden = authority.privateContainers.filter(id => !staffContainers.includes(id))
    if (hidden.length === 0) return raw('true')
    return sql`(${at.container} <> all(${hidden}::uuid[]) or ${at.area} = any(${areas}::uuid[]) or (${at.own} and ${visibleContainers(caller, at.container)}))`
  }
  return sql`(${at.container} = any(${staffContainers}::uuid[]) or ${at.area} = any(${areas}::uuid[]) or (${at.own} and ${visibleContainers(caller, at.container)}))`
}
