import {
  covers,
  decision,
  decisionSql,
  fits,
  type Place,
  type PlaceColumns,
  type PlaceKind,
  type Rule,
} from './access-rule.ts'
import type { Id } from './id.ts'
import { Forbidden } from './refusal.ts'
import { or, raw, type Sql, sql } from './sql.ts'

/** What a person may be, in the tenant or at one place of it. */
export type Role = 'readOnly' | 'requester' | 'member' | 'manager' | 'admin'

/** The stored code of each role. Other codes grant nothing. */
export const roleCode = { readOnly: 1, requester: 2, member: 3, manager: 5, admin: 6 } as const satisfies Record<
  Role,
  number
>

/** The same codes, to find the role of a stored code. */
export const roleCodes: Readonly<Record<number, Role>> = {
  [roleCode.readOnly]: 'readOnly',
  [roleCode.requester]: 'requester',
  [roleCode.member]: 'member',
  [roleCode.manager]: 'manager',
  [roleCode.admin]: 'admin',
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

/** What a user holds right now: read anew every few seconds and whenever a grant, a group or a user changes. */
export interface Authority {
  readonly superAdmin: boolean
  /** Held in the whole tenant. */
  readonly tenant: ReadonlySet<Role>
  /** Something of theirs holds in the whole tenant, so that they see the containers that are not private. */
  readonly insider: boolean
  /** Held at single places, by the kind of place. */
  readonly places: Readonly<Record<PlaceKind, ReadonlyMap<Id, ReadonlySet<Role>>>>
  /**
   * All grants, the one that decides first, if one of them says more than a role: single permissions, some rows, or that
   * something is denied. Empty for most, who are judged by their roles alone.
   */
  readonly rules: readonly Rule[]
  /** The fields of items that the user must not see: ids of custom ones, and names of properties. */
  readonly hiddenFields: ReadonlySet<string>
  /** The service itself at work: nothing is confidential to it. */
  readonly unrestricted?: boolean
  /** Places that only those with a grant on them may see. */
  readonly privatePlaces: readonly Id[]
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

/** Whether the caller may do this: in the tenant, or at this place of it. */
export function may(caller: Caller, wanted: Permission, place: Place = {}): boolean {
  const { name, roles } = wanted
  if (!inScope(caller.scopes, name)) return false
  const { authority } = caller
  if (authority.superAdmin) return true
  const ruled = decision(authority.rules, wanted, place)
  if (ruled) return ruled.effect === 'allow'
  const holds = (held: ReadonlySet<Role> | undefined) => held !== undefined && roles.some(role => held.has(role))
  return holds(authority.tenant) || placeKinds(authority).some(kind => holds(heldAt(authority, kind, place)))
}

function placeKinds({ places }: Authority): PlaceKind[] {
  return Object.keys(places) as PlaceKind[]
}

function heldAt({ places }: Authority, kind: PlaceKind, place: Place): ReadonlySet<Role> | undefined {
  const id = place[`${kind}Id`]
  return id ? places[kind].get(id) : undefined
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
    : or(placeKinds(authority).map(kind => sql`${at[kind]} = any(${places(authority.places[kind])}::uuid[])`))
  return decisionSql(authority.rules, wanted, { alias, at, then: () => raw('true'), otherwise: byRole })
}

/** Whether the caller may do this somewhere: the first check, before the record is known. */
export function maySomewhere(caller: Caller, wanted: Permission): boolean {
  if (may(caller, wanted)) return true
  if (!inScope(caller.scopes, wanted.name)) return false
  const { places, rules } = caller.authority
  if (rules.some(rule => rule.effect === 'allow' && covers(rule, wanted))) return true
  if (decision(rules, wanted, {})?.effect === 'deny') return false
  return placeKinds(caller.authority).some(kind =>
    [...places[kind].values()].some(held => wanted.roles.some(role => held.has(role))),
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
  const { authority } = caller
  const held = [
    ...authority.tenant,
    ...placeKinds(authority).flatMap(kind => [...(heldAt(authority, kind, place) ?? [])]),
  ]
  return held.some(each => ladder.indexOf(each) >= ladder.indexOf(role))
}
