import { covers, decision, decisionSql, fits, type PlaceColumns, type Rule } from './access-rule.ts'
import type { Id } from './id.ts'
import { Forbidden } from './refusal.ts'
import { and, or, raw, type Sql, sql } from './sql.ts'

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

const permissions = new Map<string, Permission>()

export function permission(name: string, roles: readonly Role[]): Permission {
  const made = { name, roles }
  permissions.set(name, made)
  return made
}

/** Every permission that some operation asks for. */
export function knownPermissions(): Permission[] {
  return [...permissions.values()]
}

/** The permissions that a name with `*` in it stands for. */
export function permissionsLike(pattern: string): Permission[] {
  return knownPermissions().filter(({ name }) => fits(pattern, name))
}

/** Writing one field of an item is everybody's who may change the item, unless a rule says otherwise. */
export function fieldPermission(field: string, verb: 'read' | 'write'): Permission {
  return { name: `field.${field}.${verb}`, roles: [] }
}

/** The owner codes that a grant can be given on. */
export const ownerCode = { tenant: 0, container: 1, area: 2, item: 3 } as const

/** What a user holds right now: read anew every few seconds and whenever a grant, a group or a user changes. */
export interface Authority {
  readonly superAdmin: boolean
  /** Held in the whole tenant. */
  readonly tenant: ReadonlySet<Role>
  /** Something of theirs holds in the whole tenant, so that they see the containers that are not private. */
  readonly insider: boolean
  /** Held in one container, in one area and what lies below it, or on one item. */
  readonly containers: ReadonlyMap<Id, ReadonlySet<Role>>
  readonly areas: ReadonlyMap<Id, ReadonlySet<Role>>
  readonly items: ReadonlyMap<Id, ReadonlySet<Role>>
  /**
   * All grants, the one that decides first, if one of them says more than a role: single permissions, some rows, or that
   * something is denied. Empty for most, who are judged by their roles alone.
   */
  readonly rules: readonly Rule[]
  /** The fields of items that the user must not see: ids of custom ones, and names of properties. */
  readonly hiddenFields: ReadonlySet<string>
  /** The service itself at work: nothing is confidential to it. */
  readonly unrestricted?: boolean
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
  /** `import` is whoever brings what has happened elsewhere, long ago: it is told in the log, and to nobody else. */
  readonly kind: 'user' | 'apiKey' | 'operator' | 'rule' | 'mail' | 'import'
  readonly keyId?: Id
  /** What a key or a token is narrowed to; empty is all that its owner may. */
  readonly scopes: readonly string[]
  readonly authority: Authority
  /** 0 active, if not said · 1 suspended: reads only · 2 closing. */
  readonly tenantStatus?: number
}

export interface Place {
  containerId?: Id | null
  areaId?: Id | null
  itemId?: Id | null
}

/** Whether the caller may do this: in the tenant, or at this place of it. */
export function may(caller: Caller, wanted: Permission, place: Place = {}): boolean {
  const { name, roles } = wanted
  if (!inScope(caller.scopes, name)) return false
  const { authority } = caller
  if (authority.superAdmin) return true
  const ruled = decision(authority.rules, wanted, place)
  if (ruled) return ruled.effect === 'allow'
  const holds = (held: ReadonlySet<Role> | undefined) => held !== undefined && roles.some(role => held.has(role))
  return (
    holds(authority.tenant) ||
    (!!place.containerId && holds(authority.containers.get(place.containerId))) ||
    (!!place.areaId && holds(authority.areas.get(place.areaId))) ||
    (!!place.itemId && holds(authority.items.get(place.itemId)))
  )
}

/** Whether what the caller may depends on more than the place: on which of its rows a rule holds for. */
export function rowsMatter({ authority }: Caller, wanted: Permission): boolean {
  return !authority.superAdmin && authority.rules.some(rule => rule.rows !== undefined && covers(rule, wanted))
}

/** The same as `may`, as a condition on rows that know where they are. */
export function mayAt(caller: Caller, wanted: Permission, alias: Sql, at: PlaceColumns): Sql {
  const { authority, scopes } = caller
  if (!inScope(scopes, wanted.name)) return raw('false')
  if (authority.superAdmin) return raw('true')
  const places = (held: ReadonlyMap<Id, ReadonlySet<Role>>) =>
    [...held].filter(([, roles]) => wanted.roles.some(role => roles.has(role))).map(([id]) => id)
  const byRole = wanted.roles.some(role => authority.tenant.has(role))
    ? raw('true')
    : sql`(${at.container} = any(${places(authority.containers)}::uuid[]) or ${at.area} = any(${places(authority.areas)}::uuid[]) or ${at.item} = any(${places(authority.items)}::uuid[]))`
  return decisionSql(authority.rules, wanted, { alias, at, then: () => raw('true'), otherwise: byRole })
}

/** Whether the caller may do this somewhere: the first check, before the record is known. */
export function maySomewhere(caller: Caller, wanted: Permission): boolean {
  if (may(caller, wanted)) return true
  if (!inScope(caller.scopes, wanted.name)) return false
  const { containers, areas, items, rules } = caller.authority
  if (rules.some(rule => rule.effect === 'allow' && covers(rule, wanted))) return true
  if (decision(rules, wanted, {})?.effect === 'deny') return false
  return [...containers.values(), ...areas.values(), ...items.values()].some(held =>
    wanted.roles.some(role => held.has(role)),
  )
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
    ...((place.itemId && caller.authority.items.get(place.itemId)) || []),
  ]
  return held.some(each => ladder.indexOf(each) >= ladder.indexOf(role))
}

export const seesEverything = (authority: Authority) => authority.superAdmin || authority.tenant.has('admin')
const isStaff = (held: ReadonlySet<Role>) => staff.some(role => held.has(role))

const seeing = permission('container.read', everyone)
const reading = permission('item.read', everyone)

/** Which containers the caller sees, as a condition on the column that holds the container's id. */
export function visibleContainers(caller: Caller, containerId: Sql): Sql {
  const { authority } = caller
  if (authority.superAdmin) return raw('true')
  const none = raw('null::uuid')
  return decisionSql(authority.rules.filter(isUnconditional), seeing, {
    alias: none,
    at: { container: containerId, area: none, item: none },
    then: ({ scope }) => (scope === 'tenant' ? containersByRole(authority, containerId) : raw('true')),
    otherwise: containersByRole(authority, containerId),
  })
}

const isUnconditional = ({ rows }: Rule) => rows === undefined

function containersByRole(authority: Authority, containerId: Sql): Sql {
  if (seesEverything(authority)) return raw('true')
  if (!authority.insider) return sql`${containerId} = any(${[...authority.containers.keys()]}::uuid[])`
  const hidden = hiddenContainers(authority)
  return hidden.length === 0 ? raw('true') : sql`${containerId} <> all(${hidden}::uuid[])`
}

/** The same for one container that is already at hand. */
export function seesContainer({ authority }: Caller, containerId: Id): boolean {
  if (authority.superAdmin) return true
  const ruled = decision(authority.rules, seeing, { containerId })
  if (ruled && (ruled.effect === 'deny' || ruled.scope !== 'tenant')) return ruled.effect === 'allow'
  if (seesEverything(authority) || authority.containers.has(containerId)) return true
  return authority.insider && !authority.privateContainers.includes(containerId)
}

function hiddenContainers({ privateContainers, containers }: Authority): Id[] {
  return privateContainers.filter(id => !containers.has(id))
}

/**
 * Which work the caller sees: all of a container for staff, their own for requesters. One condition for lists, single
 * records, counts and writes alike; it costs no look-up, because the caller's authority is already at hand.
 */
export function visibleWork(caller: Caller, alias: Sql, at: PlaceColumns & { own: Sql }): Sql {
  const { authority } = caller
  if (authority.superAdmin) return raw('true')
  const byRole = workByRole(caller, at)
  return decisionSql(authority.rules, reading, {
    alias,
    at,
    then: ({ scope, names, role }) => {
      const reach = scope === 'tenant' ? containersByRole(authority, at.container) : raw('true')
      const all = names.some(pattern => fits(pattern, reading.name)) || isStaff(new Set([role as Role]))
      return all ? reach : and([reach, at.own])
    },
    otherwise: byRole,
  })
}

function workByRole(caller: Caller, at: PlaceColumns & { own: Sql }): Sql {
  const { authority } = caller
  if (seesEverything(authority)) return raw('true')
  const staffed = (places: ReadonlyMap<Id, ReadonlySet<Role>>) =>
    [...places].filter(([, held]) => isStaff(held)).map(([id]) => id)
  const [containers, areas, items] = [authority.containers, authority.areas, authority.items].map(staffed)
  const near = [
    ...(areas?.length ? [sql`${at.area} = any(${areas}::uuid[])`] : []),
    ...(items?.length ? [sql`${at.item} = any(${items}::uuid[])`] : []),
    sql`(${at.own} and ${visibleContainers(caller, at.container)})`,
  ]
  if (!isStaff(authority.tenant)) return or([sql`${at.container} = any(${containers}::uuid[])`, ...near])
  const hidden = authority.privateContainers.filter(id => !containers?.includes(id))
  return hidden.length === 0 ? raw('true') : or([sql`${at.container} <> all(${hidden}::uuid[])`, ...near])
}
